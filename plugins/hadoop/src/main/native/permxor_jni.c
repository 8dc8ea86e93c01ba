/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * permxor_jni.c - the native methods of permxor.Native.
 *
 * Java passes two kinds of buffers.  Direct ones are coded where they are.  Heap arrays are
 * copied here one piece at a time, coded and copied back, because the garbage collector may
 * move an array at any time.  The JNI call that forbids it (GetPrimitiveArrayCritical) stops
 * collection for all threads meanwhile, or copies arrays whole, in which case two outputs in
 * one array overwrite each other when they are released.  A piece stays in the caches.
 *
 * No byte outside a buffer is read or written, whatever its position says: check_ranges() looks
 * at all arrays and buffers of a call before anything is written.
 */
#include <jni.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "permxor.h"

/* The number of the interface.  Native has the same number; it changes with the native
   methods. */
#ifndef PERMXOR_JNI_INTERFACE
#define PERMXOR_JNI_INTERFACE 2
#endif

/* Bytes of a shard that are copied at a time. 14 shards are 112 KiB, which fits the
   second-level caches of all processors that were at hand. */
#define PIECE 8192
/* Copies start at different cache lines of a page.  Otherwise they would compete for the same
   places in the first-level cache. */
#define SKEW 64

/* ---------------------------------------------------------- exceptions -- */

static void throw_new(JNIEnv *env, const char *class_name, const char *text)
{
    jclass class = (*env)->FindClass(env, class_name);
    if (class) /* otherwise an exception is pending already */
        (*env)->ThrowNew(env, class, text);
}

static void throw_argument(JNIEnv *env, const char *text)
{
    throw_new(env, "java/lang/IllegalArgumentException", text);
}

static void throw_status(JNIEnv *env, int status, const char *text)
{
    switch (status) {
    case PXR_ENOMEM:
        throw_new(env, "java/lang/OutOfMemoryError", text);
        break;
    case PXR_EINVAL:
    case PXR_ENOTMDS:
    case PXR_EUNPROVEN:
    case PXR_ETOOFEW:
        throw_argument(env, text);
        break;
    default:
        throw_new(env, "java/lang/IllegalStateException", text);
    }
}

/* ------------------------------------------------------------ one call -- */

/* The operations, as permxor.Native has them. */
enum operation { ENCODE, RECONSTRUCT, VERIFY, UPDATE, OPERATIONS };

/* A shard of a call: an array or a direct buffer, and the offset of its bytes. */
struct shard {
    jobject object; /* NULL: there is none */
    jint at;
};

/* The shards of a call, in the order of permxor.h. */
struct call {
    const pxr_code *code;
    enum operation operation;
    unsigned index; /* of UPDATE */
    jint len;
    jint in_count;
    jint out_count;
    struct shard in[PXR_MAX_SHARDS];
    struct shard out[PXR_MAX_SHARDS];
};

static jint inputs_of(const pxr_code *code, enum operation operation)
{
    switch (operation) {
    case ENCODE:
        return (jint)pxr_code_k(code);
    case UPDATE:
        return 2; /* old, new */
    default:
        return (jint)(pxr_code_k(code) + pxr_code_m(code));
    }
}

static jint outputs_of(const pxr_code *code, enum operation operation)
{
    switch (operation) {
    case RECONSTRUCT:
        return (jint)(pxr_code_k(code) + pxr_code_m(code));
    case VERIFY:
        return 0;
    default:
        return (jint)pxr_code_m(code);
    }
}

/* Gets the elements of both arrays, which must have this number of them.  Returns false if an
   exception is pending. */
static bool get_shards(JNIEnv *env, const char *name, jobjectArray objects, jintArray offsets,
                       jint count, struct shard *shards)
{
    jint at[PXR_MAX_SHARDS];
    jint given = (*env)->GetArrayLength(env, objects);
    if (given != count || (*env)->GetArrayLength(env, offsets) != count) {
        char text[96];
        snprintf(text, sizeof text, "there are %ld %s, but this call needs %ld", (long)given,
                 name, (long)count);
        throw_argument(env, text);
        return false;
    }
    (*env)->GetIntArrayRegion(env, offsets, 0, count, at);
    for (jint i = 0; i < count && !(*env)->ExceptionCheck(env); i++) {
        shards[i].object = (*env)->GetObjectArrayElement(env, objects, i);
        shards[i].at = at[i];
    }
    return !(*env)->ExceptionCheck(env);
}

static int run(const struct call *call, size_t len, uint8_t *const *in, uint8_t *const *out)
{
    switch (call->operation) {
    case ENCODE:
        return pxr_encode(call->code, len, in, out);
    case RECONSTRUCT:
        return pxr_reconstruct(call->code, len, in, out);
    case VERIFY:
        return pxr_verify(call->code, len, in, NULL);
    case UPDATE:
        return pxr_update(call->code, len, call->index, in[0], in[1], out);
    default:
        return PXR_EINVAL;
    }
}

/* ------------------------------------------------------ direct buffers -- */

/* The bytes of a direct buffer, or -1 for another buffer. */
static jlong buffer_size(JNIEnv *env, jobject buffer)
{
    return (*env)->GetDirectBufferCapacity(env, buffer);
}

/* An empty buffer may have no address, and is a shard nevertheless. */
static void find_addresses(JNIEnv *env, const struct shard *shards, jint count,
                           uint8_t **addresses)
{
    for (jint i = 0; i < count; i++) {
        addresses[i] = NULL;
        if (!shards[i].object)
            continue;
        static uint8_t nowhere;
        uint8_t *address = (*env)->GetDirectBufferAddress(env, shards[i].object);
        addresses[i] = address ? address + shards[i].at : &nowhere;
    }
}

static int code_buffers(JNIEnv *env, const struct call *call)
{
    uint8_t *in[PXR_MAX_SHARDS], *out[PXR_MAX_SHARDS];
    find_addresses(env, call->in, call->in_count, in);
    find_addresses(env, call->out, call->out_count, out);
    return run(call, (size_t)call->len, in, out);
}

/* -------------------------------------------------------- heap arrays -- */

/* Copies of pieces: `in` and `out` point into `room`, or are NULL where there is no shard. */
struct copies {
    uint8_t *room;
    uint8_t *in[PXR_MAX_SHARDS];
    uint8_t *out[PXR_MAX_SHARDS];
};

static size_t piece_of(jint len)
{
    return len < PIECE ? (size_t)len : PIECE;
}

/* Deals out room to the shards that exist, and returns the bytes that this takes.  `room` may
   be NULL to ask for that number only. */
static size_t lay_out(struct shard const *shards, jint count, size_t stride, uint8_t *room,
                      uint8_t **copies)
{
    size_t taken = 0;
    for (jint i = 0; i < count; i++) {
        copies[i] = shards[i].object && room ? room + taken : NULL;
        taken += shards[i].object ? stride : 0;
    }
    return taken;
}

static bool make_copies(const struct call *call, struct copies *copies)
{
    size_t stride = (piece_of(call->len) + 63) / 64 * 64 + SKEW;
    size_t in = lay_out(call->in, call->in_count, stride, NULL, copies->in);
    size_t out = lay_out(call->out, call->out_count, stride, NULL, copies->out);
    copies->room = aligned_alloc(64, in + out + SKEW);
    if (!copies->room)
        return false;
    lay_out(call->in, call->in_count, stride, copies->room, copies->in);
    lay_out(call->out, call->out_count, stride, copies->room + in, copies->out);
    return true;
}

static bool fetch(JNIEnv *env, const struct shard *shards, jint count, jint from, jint n,
                  uint8_t *const *copies)
{
    for (jint i = 0; i < count; i++) {
        if (!copies[i])
            continue;
        (*env)->GetByteArrayRegion(env, shards[i].object, shards[i].at + from, n,
                                   (jbyte *)copies[i]);
        if ((*env)->ExceptionCheck(env))
            return false;
    }
    return true;
}

/* Fetches what the call reads.  An update also reads the parity. */
static bool fetch_all(JNIEnv *env, const struct call *call, jint from, jint n,
                      const struct copies *copies)
{
    return fetch(env, call->in, call->in_count, from, n, copies->in) &&
           (call->operation != UPDATE ||
            fetch(env, call->out, call->out_count, from, n, copies->out));
}

static bool store(JNIEnv *env, const struct call *call, jint from, jint n,
                  const struct copies *copies)
{
    for (jint i = 0; i < call->out_count; i++) {
        if (!copies->out[i])
            continue;
        (*env)->SetByteArrayRegion(env, call->out[i].object, call->out[i].at + from, n,
                                   (const jbyte *)copies->out[i]);
        if ((*env)->ExceptionCheck(env))
            return false;
    }
    return true;
}

/* Returns PXR_OK also when an exception is pending.  A call of no bytes has one empty piece, so
   that permxor looks at its arguments, too. */
static int code_pieces(JNIEnv *env, const struct call *call, const struct copies *copies)
{
    jint piece = (jint)piece_of(call->len);
    jint from = 0, n;
    do {
        n = call->len - from < piece ? call->len - from : piece;
        if (!fetch_all(env, call, from, n, copies))
            return PXR_OK;
        int status = run(call, (size_t)n, copies->in, copies->out);
        if (status != PXR_OK)
            return status;
        if (!store(env, call, from, n, copies))
            return PXR_OK;
        from += n;
    } while (from < call->len);
    return PXR_OK;
}

static jlong array_size(JNIEnv *env, jobject array)
{
    return (*env)->GetArrayLength(env, array);
}

static int code_arrays(JNIEnv *env, const struct call *call)
{
    struct copies copies;
    if (!make_copies(call, &copies))
        return PXR_ENOMEM;
    int status = code_pieces(env, call, &copies);
    free(copies.room);
    return status;
}

/* ------------------------------------------------------ native methods -- */

/* What the calls with buffers and those with arrays do differently. */
struct kind {
    jlong (*size)(JNIEnv *env, jobject object);
    const char *outside; /* the class of the exception for a range outside an object */
    int (*code)(JNIEnv *env, const struct call *call);
};

static const struct kind BUFFERS = {buffer_size, "java/lang/IllegalArgumentException",
                                    code_buffers};
static const struct kind ARRAYS = {array_size, "java/lang/ArrayIndexOutOfBoundsException",
                                   code_arrays};

/* The arguments of a call as they came from Java. */
struct arguments {
    jlong code;
    jint operation;
    jint index;
    jint len;
    jobjectArray inputs;
    jintArray input_at;
    jobjectArray outputs;
    jintArray output_at;
};

/* Checks the numbers, and copies them.  Returns false if an exception is pending. */
static bool get_numbers(JNIEnv *env, const struct arguments *from, struct call *call)
{
    call->code = (const pxr_code *)(uintptr_t)from->code;
    if (from->operation < 0 || from->operation >= OPERATIONS || from->index < 0 ||
        !from->inputs || !from->input_at || !from->outputs || !from->output_at)
        throw_argument(env, "an argument is null or out of range");
    else if (from->len < 0)
        throw_argument(env, "the length is negative");
    call->operation = (enum operation)from->operation;
    call->index = (unsigned)from->index;
    call->len = from->len;
    return !(*env)->ExceptionCheck(env);
}

/* Returns false, with an exception pending, if a shard is not `len` bytes of its object.  The
   sizes of arrays and buffers never change, so this holds for the whole call. */
static bool check_ranges(JNIEnv *env, const struct kind *kind, const char *name,
                         const struct shard *shards, jint count, jint len)
{
    for (jint i = 0; i < count; i++) {
        if (!shards[i].object)
            continue;
        jlong size = kind->size(env, shards[i].object);
        if (shards[i].at < 0 || (jlong)shards[i].at + len > size) {
            char text[160];
            snprintf(text, sizeof text,
                     "%ld bytes from %ld on are outside element %ld of the %s, which has %lld",
                     (long)len, (long)shards[i].at, (long)i, name, (long long)size);
            throw_new(env, kind->outside, size < 0 ? "a shard is not a direct buffer" : text);
            return false;
        }
    }
    return true;
}

/* Returns what permxor.Native.code*() return.  A frame of local references holds the objects.
   Another thread may change the arrays that they are in, and then nothing else would keep the
   objects alive. */
static jboolean perform(JNIEnv *env, const struct arguments *arguments, const struct kind *kind)
{
    struct call call;
    memset(&call, 0, sizeof call);
    if (!get_numbers(env, arguments, &call))
        return JNI_FALSE;
    call.in_count = inputs_of(call.code, call.operation);
    call.out_count = outputs_of(call.code, call.operation);
    if ((*env)->PushLocalFrame(env, call.in_count + call.out_count + 1) != 0)
        return JNI_FALSE;
    int status = PXR_OK;
    if (get_shards(env, "inputs", arguments->inputs, arguments->input_at, call.in_count,
                   call.in) &&
        get_shards(env, "outputs", arguments->outputs, arguments->output_at, call.out_count,
                   call.out) &&
        check_ranges(env, kind, "inputs", call.in, call.in_count, call.len) &&
        check_ranges(env, kind, "outputs", call.out, call.out_count, call.len))
        status = kind->code(env, &call);
    if (status != PXR_OK && status != PXR_EMISMATCH)
        throw_status(env, status, pxr_strerror(status));
    (*env)->PopLocalFrame(env, NULL);
    return status == PXR_OK ? JNI_TRUE : JNI_FALSE;
}

JNIEXPORT jint JNICALL Java_permxor_Native_interfaceNumber(JNIEnv *env, jclass self)
{
    (void)env, (void)self;
    return PERMXOR_JNI_INTERFACE;
}

JNIEXPORT jstring JNICALL Java_permxor_Native_describe(JNIEnv *env, jclass self)
{
    (void)self;
    char text[128] = "permxor ";
    struct pxr_kernel_info info;
    strcat(text, pxr_version());
    for (unsigned i = 0; pxr_kernel_info(i, &info, sizeof info) == PXR_OK; i++) {
        if (info.selected) {
            strcat(text, ", ");
            strncat(text, info.name, sizeof text - strlen(text) - 1);
        }
    }
    return (*env)->NewStringUTF(env, text);
}

/* Returns the code as Java holds it, or throws. */
static jlong handle_of(JNIEnv *env, pxr_code *code, int status, const struct pxr_error *why)
{
    if (status != PXR_OK)
        throw_status(env, status, why->text);
    return (jlong)(uintptr_t)code;
}

JNIEXPORT jlong JNICALL Java_permxor_Native_create(JNIEnv *env, jclass self, jint k, jint m,
                                                   jint matrix)
{
    (void)self;
    pxr_code *code = NULL;
    struct pxr_error why;
    int status =
        pxr_code_create(&code, (unsigned)k, (unsigned)m, (enum pxr_matrix)matrix, &why);
    return handle_of(env, code, status, &why);
}

JNIEXPORT jlong JNICALL Java_permxor_Native_createCustom(JNIEnv *env, jclass self, jint k,
                                                         jint m, jbyteArray rows)
{
    (void)self;
    pxr_code *code = NULL;
    struct pxr_error why;
    jbyte *bytes = (*env)->GetByteArrayElements(env, rows, NULL);
    if (!bytes) /* an exception is pending */
        return 0;
    int status = pxr_code_create_custom(&code, (unsigned)k, (unsigned)m, (const uint8_t *)bytes,
                                        0, &why);
    (*env)->ReleaseByteArrayElements(env, rows, bytes, JNI_ABORT);
    return handle_of(env, code, status, &why);
}

JNIEXPORT jbyteArray JNICALL Java_permxor_Native_coefficients(JNIEnv *env, jclass self,
                                                              jlong handle)
{
    (void)self;
    const pxr_code *code = (const pxr_code *)(uintptr_t)handle;
    jsize count = (jsize)(pxr_code_k(code) * pxr_code_m(code));
    jbyteArray rows = (*env)->NewByteArray(env, count);
    if (rows)
        (*env)->SetByteArrayRegion(env, rows, 0, count,
                                   (const jbyte *)pxr_code_coefficients(code));
    return rows;
}

JNIEXPORT void JNICALL Java_permxor_Native_free(JNIEnv *env, jclass self, jlong code)
{
    (void)env, (void)self;
    pxr_code_free((pxr_code *)(uintptr_t)code);
}

JNIEXPORT jboolean JNICALL Java_permxor_Native_codeBuffers(
    JNIEnv *env, jclass self, jlong code, jint operation, jint index, jint len,
    jobjectArray inputs, jintArray input_at, jobjectArray outputs, jintArray output_at)
{
    (void)self;
    struct arguments arguments = {code,   operation, index,   len,
                                  inputs, input_at,  outputs, output_at};
    return perform(env, &arguments, &BUFFERS);
}

JNIEXPORT jboolean JNICALL Java_permxor_Native_codeArrays(
    JNIEnv *env, jclass self, jlong code, jint operation, jint index, jint len,
    jobjectArray inputs, jintArray input_at, jobjectArray outputs, jintArray output_at)
{
    (void)self;
    struct arguments arguments = {code,   operation, index,   len,
                                  inputs, input_at,  outputs, output_at};
    return perform(env, &arguments, &ARRAYS);
}
