# The kernel sets of ppc64le, best first: see PXR_KERNEL_SET in m4/permxor.m4.
PXR_KERNEL_SET([ppc64le], [vsx_power10], [-mcpu=power10], [altivec.h],
    [unsigned char a@<:@16@:>@ = {0}; vec_xst_len(vec_xl_be(0, a), a, 1);
     __asm__("xxeval 32,32,32,32,0x69" : : : "v0");],
    [vsx_power10_x2])
PXR_KERNEL_SET([ppc64le], [vsx_power9], [-mcpu=power9], [altivec.h],
    [unsigned char a@<:@16@:>@ = {0}; vec_xst_len(vec_xl_be(0, a), a, 1);], [vsx_power9_x2])
PXR_KERNEL_SET([ppc64le], [vsx], [-mcpu=power8], [altivec.h],
    [unsigned long long a@<:@2@:>@ = {0}; vec_xst_be(vec_xl_be(0, a), 0, a);
     __asm__("vpermxor 0,0,0,0" : : : "v0");], [vsx_x2])
