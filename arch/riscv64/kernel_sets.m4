# The kernel sets of riscv64, best first: see PXR_KERNEL_SET in m4/permxor.m4.
PXR_KERNEL_SET([riscv64], [rvv], [-march=rv64gcv_zicbop], [riscv_vector.h],
    [vuint8m1_t a = __riscv_vmv_v_x_u8m1(0, 16);
     a = __riscv_vget_v_u8m1x2_u8m1(__riscv_vcreate_v_u8m1x2(a, a), 0); (void)a;],
    [rvv_x2])
