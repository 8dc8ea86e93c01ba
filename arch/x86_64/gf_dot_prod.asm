; SPDX-License-Identifier: BSD-3-Clause
;
; gf_dot_prod.asm - dot products over GF(2^8) at the x86-64 levels with 16 vector registers,
; SSSE3 (128 bits) and AVX2 (256 bits), for 1..6 outputs at once.  One macro template; both
; nasm and yasm assemble it.  The prototypes and the contract are in gf_dot_prod.h.
;
; A product in two lookups.  Multiplication by a constant c distributes over xor, and a byte is
; the xor of its two nibbles, x = (x & 15) ^ (x & 240), so
;
;     c * x  =  c * (x & 15)  ^  c * (x & 240)
;
; Each term takes 16 values, as many as pshufb looks up: it replaces every byte of a vector,
; an index 0..15, by that entry of a 16-byte table.  The 32 bytes of a coefficient are its two
; tables.  With 256 bits vpshufb works within each half, hence a table is loaded into both.
; An index with bit 7 set would yield 0, which is why the low nibble is masked, too.
;
; Cost.  A vector of a source needs, for G outputs, 2G shuffles and 2G xors, and 3 instructions
; once for its nibbles (and, shift, and): per vector
;
;     one shuffle port, as on Skylake            2G cycles
;     three vector ports, two of which shuffle   (4G + 3) / 3 cycles    (since Ice Lake)
;
; 32 bytes * clock / that, at 3.0 GHz on an Emerald Rapids Xeon (GB/s of source, 64 KiB
; shards in cache, AVX2):
;
;     outputs        1      2      3      4      5      6
;     limit         41     26     19     15   12.5   10.7
;     measured      38     24   17.5     14     11    9.4
;
; SSSE3 comes to half of these, by the same formulas: register copies cost no port.
;
; Shape.  The sums of a block stay in registers while the block passes through all the sources,
; so that an output is written once and a source is read once.  UNROLL vectors of a source
; share one load of every table.  All sources of a block are read before its outputs are
; written, which is what lets an output take the place of a source.
;
; The choices below were measured on that Xeon: AVX2, one pinned thread, medians of 25
; interleaved rounds, throughput against the alternative.
;
; unroll        1 output: 4 vectors, +9..13 % against 2; 2 outputs: 3 vectors, +8..12 % against
;               2; 3 and 4 outputs: 2 vectors, +18..21 % against 1; 5 and 6: 2, +5..10 %.
;               There are no registers for more.
; nibbles       both halves held at once, +5..12 % against loading the source again for the
;               high half.  5 outputs have no register for the mask then, and loading again
;               is 2 % better; 6 outputs have room for neither.
; first source  sets the sums instead of adding to zeros: +2..5 %.
; AHEAD         functions of their own prefetch each source, PREFETCH bytes ahead of its use and
;               before the first block.  Whether that pays, the caller knows (machine.h).  Among
;               384, 256 and 512 bytes no distance was ahead of another by more than 5 %.

%include "abi.inc"

; Bytes that a source is prefetched ahead where AHEAD is 1.
%define PREFETCH 384

section .rodata align=32
low_nibbles:
        times 32 db 15

; ----------------------------------------------------------------------- registers ----------

%define SOURCES rcx                     ; end of the list of sources
%define INDEX   rax                     ; 8 * (j - k): from -8k up to 0 through the sources
%define PTR     r10
%define ROW0    r11                     ; end of the tables of row 0; [ROW0 + 4 * INDEX] are
%define ROW1    rsi                     ;   those of source j
%define ROW2    rdi
%define ROW3    r8
%define ROW4    rdx
%define ROW5    r9

; In the red zone.
%define OUTPUTS qword [rsp - 8]
%define MINUS_K qword [rsp - 16]        ; -8k
%define LENGTH  qword [rsp - 24]         ; where it ends, from the start of the buffers
%define SPILLED qword [rsp - 32]

; ------------------------------------------------- verbs, in the encoding of the level ------

%macro v_load 2
%if AVX
        vmovdqu %1, %2
%else
        movdqu %1, %2
%endif
%endmacro

%macro v_store 2
        v_load %1, %2
%endmacro

%macro v_load_table 2                   ; 16 bytes, into every 128 bits of the register
%if AVX
        vbroadcasti128 %1, %2
%else
        movdqu %1, %2
%endif
%endmacro

%macro v_op 3                           ; %2 = %2 OP %3
%if AVX
        v%1 %2, %2, %3
%else
        %1 %2, %3
%endif
%endmacro

%macro v_copy_op 4                      ; %2 = %3 OP %4
%if AVX
        v%1 %2, %3, %4
%else
        movdqa %2, %3
        %1 %2, %4
%endif
%endmacro

; ------------------------------------------------------------ one block of all sources ------

; Vector registers: OUTS * UNROLL sums (output g, vector u in g * UNROLL + u), then the nibbles
; of UNROLL vectors, one or both HALVES at a time, then two to work with; 15 is the mask.
%macro assign_registers 0
%assign NIBBLES OUTS * UNROLL
%assign TABLE NIBBLES + HALVES * UNROLL
%assign SPARE TABLE + 1
%endmacro

; Adds the products of one half of the nibbles (table at offset %1, indices in registers %2..)
; to the sums; with %3 it sets the sums.
%macro add_products 3
%assign g 0
%rep OUTS
        v_load_table VEC(TABLE), [ROW %+ g + 4 * INDEX + %1]
%assign u 0
%rep UNROLL
%assign sum g * UNROLL + u
%assign nibble %2 + u
%if %3
        v_copy_op pshufb, VEC(sum), VEC(TABLE), VEC(nibble)
%elif u < UNROLL - 1
        v_copy_op pshufb, VEC(SPARE), VEC(TABLE), VEC(nibble)
        v_op pxor, VEC(sum), VEC(SPARE)
%else                                   ; the table is not needed any more
        v_op pshufb, VEC(TABLE), VEC(nibble)
        v_op pxor, VEC(sum), VEC(TABLE)
%endif
%assign u u + 1
%endrep
%assign g g + 1
%endrep
%endmacro

; %1 = the place of the block in the buffer that the list entry %2 points to.
%macro place 2
        mov %1, %2
        add %1, POSITION
%endmacro

; Adds the products of the source at INDEX; with %1 it is the first and sets the sums.
%macro add_source 1
        place PTR, [SOURCES + INDEX]
%if AHEAD && UNROLL > 1
        prefetcht0 [PTR + PREFETCH]
%if UNROLL * WIDTH > 64
        prefetcht0 [PTR + PREFETCH + 64]
%endif
%endif
%assign u 0
%rep UNROLL
%assign low NIBBLES + u
%assign high low + UNROLL
        v_load VEC(low), [PTR + u * WIDTH]
%if HALVES == 2
        v_copy_op psrlw, VEC(high), VEC(low), 4
        v_op pand, VEC(high), MASK
%endif
        v_op pand, VEC(low), MASK
%assign u u + 1
%endrep
        add_products 0, NIBBLES, %1
%if HALVES == 2
        add_products 16, NIBBLES + UNROLL, 0
%else
%assign u 0
%rep UNROLL
%assign high NIBBLES + u
        v_load VEC(high), [PTR + u * WIDTH]
        v_op psrlw, VEC(high), 4
        v_op pand, VEC(high), MASK
%assign u u + 1
%endrep
        add_products 16, NIBBLES, 0
%endif
%endmacro

%macro write_sums 0
%assign g 0
%rep OUTS
        mov PTR, OUTPUTS
        place PTR, [PTR + 8 * g]
%assign u 0
%rep UNROLL
%assign sum g * UNROLL + u
        v_store [PTR + u * WIDTH], VEC(sum)
%assign u u + 1
%endrep
%assign g g + 1
%endrep
%endmacro

; All blocks of %1 vectors that fit between POSITION and LENGTH.
%macro walk 1
%assign UNROLL %1
        assign_registers
        jmp %%more
align 32
%%block:
        mov INDEX, MINUS_K
        add_source 1
        add INDEX, 8
        jz %%write
align 32
%%source:
        add_source 0
        add INDEX, 8
        jnz %%source
%%write:
        write_sums
        add POSITION, UNROLL * WIDTH
%%more:
        mov INDEX, POSITION
        add INDEX, UNROLL * WIDTH
        cmp INDEX, LENGTH
        jbe %%block
%endmacro

; ----------------------------------------------------------------------- functions ----------

%macro prefetch_heads 0
        mov INDEX, MINUS_K
%%source:
        mov PTR, [SOURCES + INDEX]
%assign ahead 0
%rep PREFETCH / 64
        prefetcht0 [PTR + ahead]
%assign ahead ahead + 64
%endrep
        add INDEX, 8
        jnz %%source
%endmacro

; %1 level, %2 outputs, %3 vectors per block, %4 nothing or _ahead.
; rdi length, rsi k, rdx tables, rcx list of sources, r8 list of outputs, r9 position.
%macro dot_product 3-4
%assign OUTS %2
; Six outputs take every register of both kinds.
%if OUTS < 6
%define POSITION r9
%define MASK VEC(15)
%else
%define POSITION SPILLED
%define MASK [low_nibbles]
%endif
%if OUTS <= 4
%assign HALVES 2
%else
%assign HALVES 1
%endif

function pxr_dot_%1_%2%4
        mov OUTPUTS, r8
        add rdi, r9
        mov LENGTH, rdi
%if OUTS == 6
        mov POSITION, r9
%endif
        lea SOURCES, [SOURCES + 8 * rsi]
        mov INDEX, rsi
        shl INDEX, 5                    ; 32k, the bytes of a row's tables
        neg rsi
        shl rsi, 3
        mov MINUS_K, rsi
        mov PTR, rdx
%assign g 0
%rep OUTS
        add PTR, INDEX
        mov ROW %+ g, PTR
%assign g g + 1
%endrep
%if AHEAD
        prefetch_heads
%endif
%if OUTS < 6
        v_load MASK, [low_nibbles]
%endif
        walk %3
        walk 1
%if AVX
        vzeroupper
%endif
        ret
endfunction
%endmacro

; %1 level, %2.. vectors per block for 1, 2, ... outputs.
%macro dot_products 2-*
%define LEVEL %1
%assign outputs 1
%rep %0 - 1
%rotate 1
%assign AHEAD 0
        dot_product LEVEL, outputs, %1
%assign AHEAD 1
        dot_product LEVEL, outputs, %1, _ahead
%assign outputs outputs + 1
%endrep
%endmacro

        text_begin

%define AVX 0
%define WIDTH 16
%define VEC(n) xmm %+ n
        dot_products ssse3, 4, 3, 2, 2, 2, 2

%define AVX 1
%define WIDTH 32
%define VEC(n) ymm %+ n
        dot_products avx2, 4, 3, 2, 2, 2, 2

        text_end
