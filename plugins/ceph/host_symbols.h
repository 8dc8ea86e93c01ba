/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host_symbols.h - every function and variable of Ceph that the plugin uses, by its name in the
 * symbol table.
 *
 * All are weak.  A plugin that refers to a symbol which its host lacks could not be loaded at
 * all, and then could neither report why nor hand over to the original plugin. version.cc
 * checks that they are there before anything uses them.  Another symbol of Ceph that the plugin
 * uses must go into a table here: `nm -D` of the plugin must show none of Ceph's symbols as U
 * instead of w.
 */
#ifndef PERMXOR_CEPH_HOST_SYMBOLS_H
#define PERMXOR_CEPH_HOST_SYMBOLS_H

/* clang-format off */

/* Symbols of every release. */
#define PXR_HOST_SYMBOLS(SYMBOL) \
    SYMBOL(_Z19ceph_version_to_strv) \
    SYMBOL(_ZN4ceph25ErasureCodePluginRegistry3addERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEPNS_17ErasureCodePluginE) \
    SYMBOL(_ZN4ceph25ErasureCodePluginRegistry3getERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE) \
    SYMBOL(_ZN4ceph25ErasureCodePluginRegistry9singletonE) \
    SYMBOL(_ZN4ceph6buffer7v15_2_014create_alignedEjj) \
    SYMBOL(_ZN4ceph6buffer7v15_2_03ptr4zeroEb) \
    SYMBOL(_ZN4ceph6buffer7v15_2_03ptr5c_strEv) \
    SYMBOL(_ZN4ceph6buffer7v15_2_03ptr7releaseEv) \
    SYMBOL(_ZN4ceph6buffer7v15_2_03ptrC1ENS_19unique_leakable_ptrINS1_3rawEEE) \
    SYMBOL(_ZN4ceph6buffer7v15_2_03ptrC1EPKcj) \
    SYMBOL(_ZN4ceph6buffer7v15_2_03ptrC1ERKS2_) \
    SYMBOL(_ZN4ceph6buffer7v15_2_03ptrC1ERKS2_jj) \
    SYMBOL(_ZN4ceph6buffer7v15_2_03ptrC2EOS2_) \
    SYMBOL(_ZN4ceph6buffer7v15_2_04list17always_empty_bptrE) \
    SYMBOL(_ZN4ceph6buffer7v15_2_04list4swapERS2_) \
    SYMBOL(_ZN4ceph6buffer7v15_2_04list6appendEONS1_3ptrE) \
    SYMBOL(_ZN4ceph6buffer7v15_2_04list6appendERKS2_) \
    SYMBOL(_ZN4ceph6buffer7v15_2_04list7rebuildEv) \
    SYMBOL(_ZN4ceph6buffer7v15_2_04list9substr_ofERKS2_jj) \
    SYMBOL(_ZN4ceph6buffer7v15_2_08ptr_node24dispose_if_hypercombinedEPS2_) \
    SYMBOL(_ZN4ceph6buffer7v15_2_08ptr_node6clonerclERKS2_) \
    SYMBOL(_ZNK4ceph6buffer7v15_2_03ptr5c_strEv) \
    SYMBOL(_ZNK4ceph6buffer7v15_2_04list14contents_equalERKS2_)

/* The form of CrushWrapper::add_simple_rule() up to 18.2. */
#define PXR_HOST_SYMBOLS_CLASSIC(SYMBOL) \
    SYMBOL(_ZN12CrushWrapper15add_simple_ruleENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEES5_S5_S5_S5_iPSo)

/* Its form in 20.2, and add_indep_multi_osd_per_failure_domain_rule(). */
#define PXR_HOST_SYMBOLS_FLAT(SYMBOL) \
    SYMBOL(_ZN12CrushWrapper15add_simple_ruleENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEES5_S5_iS5_S5_iPSo) \
    SYMBOL(_ZN12CrushWrapper43add_indep_multi_osd_per_failure_domain_ruleENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEES5_S5_iiS5_PSo)

/* The assembler is told, because compilers accept the attribute for free functions only.  A
   test program that is the host itself defines some of these symbols. */
#ifndef PXR_IS_HOST
#define PXR_WEAK(name) __asm__(".weak " #name);
PXR_HOST_SYMBOLS(PXR_WEAK)
PXR_HOST_SYMBOLS_CLASSIC(PXR_WEAK)
PXR_HOST_SYMBOLS_FLAT(PXR_WEAK)
#undef PXR_WEAK
#endif

/* clang-format on */

#endif
