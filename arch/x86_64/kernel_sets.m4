# The kernel sets of x86-64, best first: see PXR_KERNEL_SET in m4/permxor.m4.
# -mtune: for processors of no name, gcc keeps addresses in vector registers when it runs out of
# others.  Getting them back waits for the unit that multiplies, and then stores and loads wait.
PXR_KERNEL_SET([x86_64], [avx512_gfni], [-mavx512f -mavx512bw -mbmi2 -mgfni -mtune=skylake-avx512],
    [immintrin.h],
    [__m512i a = {0}; a = _mm512_gf2p8affine_epi64_epi8(a, a, 0); (void)a;])
PXR_KERNEL_SET([x86_64], [avx2_gfni], [-mavx2 -mgfni], [immintrin.h],
    [__m256i a = {0}; a = _mm256_gf2p8affine_epi64_epi8(a, a, 0); (void)a;])
PXR_KERNEL_SET([x86_64], [avx512], [-mavx512f -mavx512bw -mbmi2 -mtune=skylake-avx512], [immintrin.h],
    [__m512i a = {0}; a = _mm512_shuffle_epi8(a, a); (void)a;])
PXR_KERNEL_SET([x86_64], [avx2], [-mavx2], [immintrin.h],
    [__m256i a = {0}; a = _mm256_shuffle_epi8(a, a); (void)a;])
PXR_KERNEL_SET([x86_64], [ssse3_gfni], [-mssse3 -mgfni], [immintrin.h],
    [__m128i a = {0}; a = _mm_gf2p8affine_epi64_epi8(a, a, 0); (void)a;])
PXR_KERNEL_SET([x86_64], [ssse3], [-mssse3], [immintrin.h],
    [__m128i a = {0}; a = _mm_shuffle_epi8(a, a); (void)a;])
