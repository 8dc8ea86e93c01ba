/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim_member.h"

#include "sim_memory.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static void push(struct sim_requests *list, const struct sim_request *request)
{
    if (list->count == list->room) {
        const unsigned room = list->room * 2 + 4;
        struct sim_request *more = sim_allocate(room * sizeof *more);
        if (list->count > 0)
            memcpy(more, list->request, list->count * sizeof *more);
        free(list->request);
        list->request = more;
        list->room = room;
    }
    list->request[list->count++] = *request;
}

static struct sim_request take(struct sim_requests *list, unsigned which)
{
    const struct sim_request taken = list->request[which];
    list->count--;
    memmove(list->request + which, list->request + which + 1,
            (list->count - which) * sizeof taken);
    return taken;
}

static void leave(struct sim_pieces *pieces)
{
    if (pieces != NULL && --pieces->left == 0)
        free(pieces);
}

static void free_list(struct sim_requests *list)
{
    for (unsigned i = 0; i < list->count; i++) {
        free(list->request[i].bytes);
        leave(list->request[i].pieces);
    }
    free(list->request);
    *list = (struct sim_requests){0};
}

void sim_member_make(struct sim_member *member, struct sim_image content, struct dice *dice,
                     struct sim_tally *tally)
{
    *member = (struct sim_member){.stable = content, .dice = dice, .tally = tally};
    member->view = sim_image_copy(&member->stable);
}

void sim_member_free(struct sim_member *member)
{
    free_list(&member->waiting);
    free_list(&member->cached);
    sim_image_free(&member->stable);
    sim_image_free(&member->view);
}

/* ------------------------------------------------------------- requests -- */

static bool overlaps(const struct sim_request *a, const struct sim_request *b)
{
    return a->offset < b->offset + b->len && b->offset < a->offset + a->len;
}

static bool is_sound(struct sim_member *member, const struct sim_request *request)
{
    static const char *const name[] = {"read", "write", "zero", "flush"};
    const uint64_t size = sim_image_size(&member->stable);
    if (request->offset % CORE_BLOCK != 0 || request->len % CORE_BLOCK != 0 ||
        request->offset > size || request->len > size - request->offset) {
        sim_wrong(member->tally, "a wrong request",
                  "%s of %" PRIu64 " bytes at %" PRIu64 " of %" PRIu64, name[request->kind],
                  request->len, request->offset, size);
        return false;
    }
    for (unsigned i = 0; i < member->waiting.count; i++) {
        const struct sim_request *other = &member->waiting.request[i];
        if (overlaps(request, other) &&
            (request->kind != SIM_READ || other->kind != SIM_READ)) {
            sim_wrong(member->tally, "overlapping requests",
                      "%s at %" PRIu64 " while a %s at %" PRIu64 " is under way",
                      name[request->kind], request->offset, name[other->kind], other->offset);
            return false;
        }
    }
    return true;
}

static void answer(const struct sim_request *request, int error)
{
    struct sim_pieces *pieces = request->pieces;
    if (pieces == NULL) {
        request->done(request->token, error);
        return;
    }
    if (error != 0)
        pieces->error = error;
    if (pieces->left == 1)
        pieces->done(pieces->token, pieces->error);
    leave(pieces);
}

static void submit(struct sim_member *member, const struct sim_request *request)
{
    if (!is_sound(member, request)) {
        free(request->bytes);
        answer(request, EINVAL);
        return;
    }
    push(&member->waiting, request);
    if (member->at_once)
        sim_member_answer(member, member->waiting.count - 1);
}

static struct sim_pieces *begin_pieces(struct sim_member *member, unsigned count,
                                       core_io_done *done, void *token)
{
    if (count == 0 || count > CORE_PIECES)
        sim_wrong(member->tally, "a wrong request", "of %u pieces", count);
    if (count <= 1)
        return NULL;
    struct sim_pieces *pieces = sim_allocate(sizeof *pieces);
    *pieces = (struct sim_pieces){.left = count, .done = done, .token = token};
    return pieces;
}

static void member_read(void *self, uint64_t offset, const struct iovec *piece, unsigned count,
                        core_io_done *done, void *token)
{
    struct sim_pieces *pieces = begin_pieces(self, count, done, token);
    for (unsigned i = 0; i < count; offset += piece[i++].iov_len) {
        /* Whoever looks at the buffer too early sees no valid block. */
        memset(piece[i].iov_base, 0xa5, piece[i].iov_len);
        submit(self, &(struct sim_request){.kind = SIM_READ,
                                           .offset = offset,
                                           .len = piece[i].iov_len,
                                           .buffer = piece[i].iov_base,
                                           .done = done,
                                           .token = token,
                                           .pieces = pieces});
    }
}

static void member_write(void *self, uint64_t offset, const struct iovec *piece, unsigned count,
                         bool durable, core_io_done *done, void *token)
{
    struct sim_pieces *pieces = begin_pieces(self, count, done, token);
    for (unsigned i = 0; i < count; offset += piece[i++].iov_len) {
        uint8_t *bytes = sim_allocate(piece[i].iov_len);
        memcpy(bytes, piece[i].iov_base, piece[i].iov_len);
        submit(self, &(struct sim_request){.kind = SIM_WRITE,
                                           .durable = durable,
                                           .offset = offset,
                                           .len = piece[i].iov_len,
                                           .source = piece[i].iov_base,
                                           .bytes = bytes,
                                           .done = done,
                                           .token = token,
                                           .pieces = pieces});
    }
}

static void member_zero(void *self, uint64_t offset, uint64_t len, core_io_done *done,
                        void *token)
{
    submit(self,
           &(struct sim_request){
               .kind = SIM_ZERO, .offset = offset, .len = len, .done = done, .token = token});
}

static void member_flush(void *self, core_io_done *done, void *token)
{
    struct sim_member *member = self;
    submit(member,
           &(struct sim_request){
               .kind = SIM_FLUSH, .flushes_to = member->ended, .done = done, .token = token});
}

static uint64_t member_size(void *self)
{
    const struct sim_member *member = self;
    return sim_image_size(&member->stable);
}

const struct core_member_calls sim_calls = {member_read, member_write, member_flush,
                                            member_zero, member_size};

/* -------------------------------------------------------------- effects -- */

static void put_part(struct sim_image *image, const struct sim_request *write, uint64_t from,
                     uint64_t len)
{
    static const uint8_t zeros[SIM_PAGE];
    if (write->bytes != NULL) {
        sim_image_write(image, write->offset + from, (size_t)len, write->bytes + from);
        return;
    }
    for (uint64_t part; len > 0; from += part, len -= part) {
        part = len < SIM_PAGE ? len : SIM_PAGE;
        sim_image_write(image, write->offset + from, (size_t)part, zeros);
    }
}

/*
 * In what pieces a crash tears a write.  Pages of tables are torn in smaller ones than disks
 * have: the tables of small members have all of their entries in the first sector.
 */
static uint64_t piece_of(const struct sim_request *write)
{
    const bool is_table = write->bytes != NULL && memcmp(write->bytes, "PXRAPAGE", 8) == 0;
    return is_table ? SIM_SECTOR / 8 : SIM_SECTOR;
}

static void put(struct sim_image *image, const struct sim_request *write, enum sim_fate fate,
                struct dice *dice)
{
    const uint64_t piece = piece_of(write), pieces = write->len / piece;
    if (fate == SIM_WHOLE)
        put_part(image, write, 0, write->len);
    else if (fate == SIM_PREFIX)
        put_part(image, write, 0, dice_below(dice, (size_t)pieces) * piece);
    else if (fate == SIM_SECTORS)
        for (uint64_t i = 0; i < pieces; i++)
            if (dice_percent(dice, 50))
                put_part(image, write, i * piece, piece);
}

/* Makes cached writes durable that ended before number `end` and, if `over` is not NULL,
   overlap it. */
static void settle(struct sim_member *member, uint64_t end, const struct sim_request *over)
{
    for (unsigned i = 0; i < member->cached.count;) {
        const struct sim_request *write = &member->cached.request[i];
        if (write->ended >= end || (over != NULL && !overlaps(write, over))) {
            i++;
            continue;
        }
        put(&member->stable, write, SIM_WHOLE, NULL);
        free(take(&member->cached, i).bytes);
    }
}

static bool strikes(unsigned *counter)
{
    return *counter > 0 && --*counter == 0;
}

/* A write reaches the cache, whole or in part. */
static void cache_write(struct sim_member *member, struct sim_request *write, bool failed)
{
    struct sim_faults *faults = &member->faults;
    write->ended = member->ended++;
    if (strikes(&faults->lose)) {
        member->lied = true;
        member->tally->faults++;
        free(write->bytes);
        return;
    }
    if (strikes(&faults->misdirect)) {
        const uint64_t size = sim_image_size(&member->stable);
        member->lied = true;
        member->tally->faults++;
        write->offset =
            write->len > size
                ? 0
                : dice_below(member->dice, (size_t)((size - write->len) / SIM_PAGE)) * SIM_PAGE;
    }
    const enum sim_fate fate =
        failed ? (enum sim_fate)dice_below(member->dice, SIM_FATES) : SIM_WHOLE;
    if (write->durable && !failed) {
        settle(member, UINT64_MAX, write);
        put(&member->stable, write, SIM_WHOLE, NULL);
        put(&member->view, write, SIM_WHOLE, NULL);
        free(write->bytes);
    } else if (fate == SIM_WHOLE) {
        put(&member->view, write, SIM_WHOLE, NULL);
        push(&member->cached, write);
    } else {
        /* Both images get the same part, so that what is read now is not lost later. */
        struct dice same = *member->dice;
        put(&member->view, write, fate, member->dice);
        put(&member->stable, write, fate, &same);
        free(write->bytes);
    }
}

/* Of a read that has several pieces, the same one fails again when it is read alone. */
static bool fails(struct sim_member *member, const struct sim_request *request)
{
    struct sim_faults *faults = &member->faults;
    if (strikes(&faults->error[request->kind])) {
        if (request->kind == SIM_READ && request->pieces != NULL)
            faults->again = request->offset;
        return true;
    }
    if (request->kind == SIM_READ && request->offset == faults->again && faults->again != 0) {
        faults->again = 0;
        return true;
    }
    return faults->dead;
}

bool sim_member_answer(struct sim_member *member, unsigned which)
{
    struct sim_request request = take(&member->waiting, which);
    const bool failed = fails(member, &request);
    if (failed)
        member->tally->faults++;
    if (request.kind == SIM_WRITE && memcmp(request.bytes, request.source, request.len) != 0)
        sim_wrong(member->tally, "a changed buffer",
                  "of a write at %" PRIu64 " that is under way", request.offset);
    struct sim_request write = request;
    write.pieces = NULL; /* the cache has it when its pieces are forgotten */
    if (request.kind == SIM_READ && !failed)
        sim_image_read(&member->view, request.offset, (size_t)request.len, request.buffer);
    else if (request.kind == SIM_FLUSH && !failed)
        settle(member, request.flushes_to, NULL);
    else if (request.kind == SIM_WRITE || request.kind == SIM_ZERO) {
        if (member->faults.dead)
            free(request.bytes);
        else
            cache_write(member, &write, failed);
    }
    member->writes += request.kind != SIM_READ;
    answer(&request, failed ? EIO : 0);
    return request.kind != SIM_READ;
}

void sim_member_flip(struct sim_member *member, uint64_t offset, unsigned bit)
{
    uint8_t byte;
    sim_image_read(&member->stable, offset, 1, &byte);
    byte ^= (uint8_t)(1u << bit);
    sim_image_write(&member->stable, offset, 1, &byte);
    sim_image_read(&member->view, offset, 1, &byte);
    byte ^= (uint8_t)(1u << bit);
    sim_image_write(&member->view, offset, 1, &byte);
    member->tally->faults++;
}

/* -------------------------------------------------------------- crashes -- */

static bool is_write(const struct sim_request *request)
{
    return request->kind == SIM_WRITE || request->kind == SIM_ZERO;
}

unsigned sim_member_undecided(const struct sim_member *member)
{
    unsigned writes = member->cached.count;
    for (unsigned i = 0; i < member->waiting.count; i++)
        writes += is_write(&member->waiting.request[i]);
    return writes;
}

struct sim_image sim_member_crash(const struct sim_member *member, sim_choose *choose,
                                  void *context, struct dice *dice)
{
    struct sim_image image = sim_image_copy(&member->stable);
    unsigned number = 0;
    for (unsigned i = 0; i < member->cached.count; i++)
        put(&image, &member->cached.request[i], choose(context, number++), dice);
    for (unsigned i = 0; i < member->waiting.count; i++)
        if (is_write(&member->waiting.request[i]))
            put(&image, &member->waiting.request[i], choose(context, number++), dice);
    return image;
}

void sim_member_kill(const struct sim_member *member, struct sim_member *rest,
                     struct dice *dice)
{
    sim_member_make(rest, sim_image_copy(&member->stable), dice, member->tally);
    for (unsigned list = 0; list < 2; list++) {
        const struct sim_requests *from = list == 0 ? &member->cached : &member->waiting;
        for (unsigned i = 0; i < from->count; i++) {
            struct sim_request write = from->request[i];
            if (!is_write(&write) || (list == 1 && dice_percent(dice, 50)))
                continue;
            if (write.bytes != NULL) {
                write.bytes = sim_allocate(write.len);
                memcpy(write.bytes, from->request[i].bytes, write.len);
            }
            write.pieces = NULL;
            write.ended = rest->ended++;
            put(&rest->view, &write, SIM_WHOLE, NULL);
            push(&rest->cached, &write);
        }
    }
}
