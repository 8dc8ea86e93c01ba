# The kernel sets of s390x, best first: see PXR_KERNEL_SET in m4/permxor.m4.
PXR_KERNEL_SET([s390x], [vx], [-march=z13 -mzvector], [vecintrin.h],
    [vector unsigned char a = vec_splats((unsigned char)0); a = vec_perm(a, a, a); (void)a;],
    [vx_x2])
