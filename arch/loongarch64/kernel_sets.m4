# The kernel sets of loongarch64, best first: see PXR_KERNEL_SET in m4/permxor.m4.
PXR_KERNEL_SET([loongarch64], [lasx], [-mlasx], [lasxintrin.h],
    [__m256i a = {0}; a = __lasx_xvshuf_b(a, a, a); (void)a;], [lasx_x2])
PXR_KERNEL_SET([loongarch64], [lsx], [-mlsx], [lsxintrin.h],
    [__m128i a = {0}; a = __lsx_vshuf_b(a, a, a); (void)a;], [lsx_x2])
