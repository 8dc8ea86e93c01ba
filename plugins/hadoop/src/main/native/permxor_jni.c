/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * permxor_jni.c - the native methods of permxor.hadoop.NativeCode.
 *
 * Java passes two kinds of buffers.  Direct ones are coded where they are.  Heap arrays are
 * copied here one piece at a time, coded and copied back, because the garbage collector may
 * move an array at any time.  The JNI call that forbids it (GetPrimitiveArrayCritical) stops
 * collection for all threads meanwhile, or copies arrays whole, in which case two outputs in
 * one array overwrite each other when they are released.  A piece stays in the caches.
 *
 * No byte outside a buffer is read or written, whatever its position says: the virtual machine
 * checks regions of arrays, and buffer_range() checks the direct ones.
 */
#include <jni.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "permxor.h"

/* The number of the interface.  NativeCode has the same number; it changes with the native
   methods. */
#ifndef PERMXOR_JNI_INTERFACE
#define PERMXOR_JNI_INTERFACE 1
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

/* Throws the exception that Hadoop's own coders throw for the same reason. */
static void throw_status(JNIEnv *env, int status, const char *text)
{
    const char *class_name = "java/io/IOException";
    if (status == PXR_ENOMEM)
        class_name = "java/lang/OutOfMemoryError";
    else if (status == PXR_EINVAL || status == PXR_ETOOFEW)
        class_name = "org/apache/hadoop/HadoopIllegalArgumentException";
    throw_new(env, class_name, text);
}

/* -------------------------------------------------------- one call -- */

/* A shard of a call: an array or a direct buffer, and the offset of its bytes. */
struct shard {
    jobject object; /* NULL: there is none */
    jint at;
};

/*
 * The shards of a call, in the order of pxr_encode() if it is `encoding`, and otherwise of
 * pxr_reconstruct().
 */
struct call {
    const pxr_code *code;
    bool encoding;
    jint len;
    struct shard in[PXR_MAX_SHARDS];
    struct shard out[PXR_MAX_SHARDS];
};

/* The arrays that came from Java. */
struct arguments {
    jobjectArray inputs;
    jintArray input_at;
    jintArray erased; /* NULL: encoding */
    jobjectArray outputs;
    jintArray output_at;
};

static int in_count(const struct call *call)
{
    unsigned k = pxr_code_k(call->code), m = pxr_code_m(call->code);
    return (int)(call->encoding ? k : k + m);
}

static int out_count(const struct call *call)
{
    unsigned k = pxr_code_k(call->code), m = pxr_code_m(call->code);
    return (int)(call->encoding ? m : k + m);
}

/* Gets an element of both arrays.  Returns false if an exception is pending. */
static bool get_shard(JNIEnv *env, jobjectArray objects, const jint *at, jint i,
                      struct shard *shard)
{
    shard->object = (*env)->GetObjectArrayElement(env, objects, i);
    shard->at = at[i];
    return !(*env)->ExceptionCheck(env);
}

static bool get_ints(JNIEnv *env, jintArray array, jint count, jint *ints)
{
    (*env)->GetIntArrayRegion(env, array, 0, count, ints);
    return !(*env)->ExceptionCheck(env);
}

static bool get_inputs(JNIEnv *env, const struct arguments *from, struct call *call)
{
    jint at[PXR_MAX_SHARDS];
    int count = in_count(call);
    if (!get_ints(env, from->input_at, count, at))
        return false;
    for (jint i = 0; i < count; i++)
        if (!get_shard(env, from->inputs, at, i, &call->in[i]))
            return false;
    return true;
}

/* Puts an output in the place of a lost shard.  An input of the same number is ignored, because
   a caller that names it erased distrusts it. */
static bool place_erased(JNIEnv *env, struct call *call, jint index, struct shard output)
{
    if (index < 0 || index >= out_count(call) || call->out[index].object) {
        throw_status(env, PXR_EINVAL, "Invalid erasedIndexes");
        return false;
    }
    call->out[index] = output;
    call->in[index].object = NULL;
    return true;
}

static bool get_outputs(JNIEnv *env, const struct arguments *from, struct call *call)
{
    jint at[PXR_MAX_SHARDS], erased[PXR_MAX_SHARDS];
    jint count = (*env)->GetArrayLength(env, from->outputs);
    if (count > (jint)pxr_code_m(call->code)) {
        throw_status(env, PXR_EINVAL, "Too many erased, not recoverable");
        return false;
    }
    if (!get_ints(env, from->output_at, count, at) ||
        (from->erased && !get_ints(env, from->erased, count, erased)))
        return false;
    for (jint i = 0; i < count; i++) {
        struct shard output;
        if (!get_shard(env, from->outputs, at, i, &output))
            return false;
        if (call->encoding)
            call->out[i] = output;
        else if (!place_erased(env, call, erased[i], output))
            return false;
    }
    return true;
}

static int run(const struct call *call, size_t len, uint8_t *const *in, uint8_t *const *out)
{
    return call->encoding ? pxr_encode(call->code, len, in, out)
                          : pxr_reconstruct(call->code, len, in, out);
}

/* ------------------------------------------------------ direct buffers -- */

/* Returns the address of a shard's bytes, or NULL where there is no shard, or no direct buffer
   of that size. */
static uint8_t *buffer_range(JNIEnv *env, const struct shard *shard, jint len)
{
    if (!shard->object)
        return NULL;
    uint8_t *address = (*env)->GetDirectBufferAddress(env, shard->object);
    jlong capacity = (*env)->GetDirectBufferCapacity(env, shard->object);
    bool inside = shard->at >= 0 && (jlong)shard->at + len <= capacity;
    return address && inside ? address + shard->at : NULL;
}

static int code_buffers(JNIEnv *env, const struct call *call)
{
    uint8_t *in[PXR_MAX_SHARDS], *out[PXR_MAX_SHARDS];
    for (int i = 0; i < in_count(call); i++) {
        in[i] = buffer_range(env, &call->in[i], call->len);
        if (!in[i] && call->in[i].object)
            return PXR_EINVAL;
    }
    for (int i = 0; i < out_count(call); i++) {
        out[i] = buffer_range(env, &call->out[i], call->len);
        if (!out[i] && call->out[i].object)
            return PXR_EINVAL;
    }
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
static size_t lay_out(struct shard const *shards, int count, size_t stride, uint8_t *room,
                      uint8_t **copies)
{
    size_t taken = 0;
    for (int i = 0; i < count; i++) {
        copies[i] = shards[i].object && room ? room + taken : NULL;
        taken += shards[i].object ? stride : 0;
    }
    return taken;
}

static bool make_copies(const struct call *call, struct copies *copies)
{
    size_t stride = (piece_of(call->len) + 63) / 64 * 64 + SKEW;
    size_t in = lay_out(call->in, in_count(call), stride, NULL, copies->in);
    size_t out = lay_out(call->out, out_count(call), stride, NULL, copies->out);
    copies->room = aligned_alloc(64, in + out + SKEW);
    if (!copies->room)
        return false;
    lay_out(call->in, in_count(call), stride, copies->room, copies->in);
    lay_out(call->out, out_count(call), stride, copies->room + in, copies->out);
    return true;
}

static bool fetch(JNIEnv *env, const struct call *call, jint from, jint n,
                  const struct copies *copies)
{
    for (int i = 0; i < in_count(call); i++) {
        if (!copies->in[i])
            continue;
        (*env)->GetByteArrayRegion(env, call->in[i].object, call->in[i].at + from, n,
                                   (jbyte *)copies->in[i]);
        if ((*env)->ExceptionCheck(env))
            return false;
    }
    return true;
}

static bool store(JNIEnv *env, const struct call *call, jint from, jint n,
                  const struct copies *copies)
{
    for (int i = 0; i < out_count(call); i++) {
        if (!copies->out[i])
            continue;
        (*env)->SetByteArrayRegion(env, call->out[i].object, call->out[i].at + from, n,
                                   (const jbyte *)copies->out[i]);
        if ((*env)->ExceptionCheck(env))
            return false;
    }
    return true;
}

/* Returns PXR_OK also when an exception is pending. */
static int code_pieces(JNIEnv *env, const struct call *call, const struct copies *copies)
{
    jint piece = (jint)piece_of(call->len);
    for (jint from = 0, n; from < call->len; from += n) {
        n = call->len - from < piece ? call->len - from : piece;
        if (!fetch(env, call, from, n, copies))
            return PXR_OK;
        int status = run(call, (size_t)n, copies->in, copies->out);
        if (status != PXR_OK)
            return status;
        if (!store(env, call, from, n, copies))
            return PXR_OK;
    }
    return PXR_OK;
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

/* A frame of local references holds the objects.  Another thread may change the arrays that
   they are in, and then nothing else would keep the objects alive. */
static void perform(JNIEnv *env, jlong code, jint len, const struct arguments *arguments,
                    int (*kind)(JNIEnv *, const struct call *))
{
    struct call call;
    memset(&call, 0, sizeof call);
    call.code = (const pxr_code *)(uintptr_t)code;
    call.encoding = !arguments->erased;
    call.len = len;
    if ((*env)->PushLocalFrame(env, in_count(&call) + (jint)pxr_code_m(call.code) + 1) != 0)
        return;
    if (get_inputs(env, arguments, &call) && get_outputs(env, arguments, &call)) {
        int status = kind(env, &call);
        if (status != PXR_OK)
            throw_status(env, status, pxr_strerror(status));
    }
    (*env)->PopLocalFrame(env, NULL);
}

JNIEXPORT jint JNICALL Java_permxor_hadoop_NativeCode_interfaceNumber(JNIEnv *env, jclass self)
{
    (void)env, (void)self;
    return PERMXOR_JNI_INTERFACE;
}

JNIEXPORT jstring JNICALL Java_permxor_hadoop_NativeCode_describe(JNIEnv *env, jclass self)
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

static pxr_code *create(jint k, jint m, jboolean xor, int *status, struct pxr_error *why)
{
    pxr_code *code = NULL;
    uint8_t ones[PXR_MAX_SHARDS];
    memset(ones, 1, sizeof ones);
    *status = PXR_EINVAL;
    if (k < 1 || m < 1 || k + (jlong)m >= PXR_MAX_SHARDS) /* Hadoop's limit */
        strcpy(why->text, "Invalid numDataUnits and numParityUnits");
    else if (!xor)
        *status = pxr_code_create(&code, (unsigned)k, (unsigned)m, PXR_ISAL_CAUCHY, why);
    else if (m != 1)
        strcpy(why->text, "xor needs exactly one parity unit");
    else
        *status = pxr_code_create_custom(&code, (unsigned)k, 1, ones, 0, why);
    return code;
}

JNIEXPORT jlong JNICALL Java_permxor_hadoop_NativeCode_create(JNIEnv *env, jclass self, jint k,
                                                              jint m, jboolean xor)
{
    (void)self;
    int status;
    struct pxr_error why;
    pxr_code *code = create(k, m, xor, &status, &why);
    if (!code)
        throw_status(env, status, why.text);
    return (jlong)(uintptr_t)code;
}

JNIEXPORT void JNICALL Java_permxor_hadoop_NativeCode_free(JNIEnv *env, jclass self, jlong code)
{
    (void)env, (void)self;
    pxr_code_free((pxr_code *)(uintptr_t)code);
}

JNIEXPORT void JNICALL Java_permxor_hadoop_NativeCode_codeBuffers(
    JNIEnv *env, jclass self, jlong code, jint len, jobjectArray inputs, jintArray input_at,
    jintArray erased, jobjectArray outputs, jintArray output_at)
{
    (void)self;
    struct arguments arguments = {inputs, input_at, erased, outputs, output_at};
    perform(env, code, len, &arguments, code_buffers);
}

JNIEXPORT void JNICALL Java_permxor_hadoop_NativeCode_codeArrays(
    JNIEnv *env, jclass self, jlong code, jint len, jobjectArray inputs, jintArray input_at,
    jintArray erased, jobjectArray outputs, jintArray output_at)
{
    (void)self;
    struct arguments arguments = {inputs, input_at, erased, outputs, output_at};
    perform(env, code, len, &arguments, code_arrays);
}
