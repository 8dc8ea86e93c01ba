# The kernel sets of aarch64, best first: see PXR_KERNEL_SET in m4/permxor.m4.
PXR_KERNEL_SET([aarch64], [sve2], [-march=armv8.2-a+sve2], [arm_sve.h],
    [svuint8_t a = svdup_n_u8(0); a = sveor3_u8(a, a, a); (void)a;], [sve2_x4])
PXR_KERNEL_SET([aarch64], [sve], [-march=armv8.2-a+sve], [arm_sve.h],
    [svuint8_t a = svdup_n_u8(0); a = svtbl_u8(a, a); (void)a;], [sve_x4])
PXR_KERNEL_SET([aarch64], [neon_sha3], [-march=armv8.2-a+sha3], [arm_neon.h],
    [uint8x16_t a = vdupq_n_u8(0); a = veor3q_u8(a, a, a); (void)a;])
PXR_KERNEL_SET([aarch64], [neon], [-march=armv8-a], [arm_neon.h],
    [uint8x16_t a = vdupq_n_u8(0); a = vqtbl1q_u8(a, a); (void)a;], [neon_x2])
