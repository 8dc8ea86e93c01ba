/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "internal.h"

void task_push(struct task_queue *queue, struct task *task)
{
    task->next = NULL;
    if (queue->first == NULL)
        queue->first = task;
    else
        queue->last->next = task;
    queue->last = task;
}

struct task *task_pop(struct task_queue *queue)
{
    struct task *task = queue->first;
    if (task != NULL)
        queue->first = task->next;
    return task;
}

void task_start(struct core *core, struct task *task, task_step *step)
{
    *task = (struct task){.step = step};
    task_push(&core->ready, task);
}

void task_wake(struct core *core, struct task *task)
{
    if (--task->pending == 0)
        task_push(&core->ready, task);
}

void task_queue_up(struct task_queue *queue, struct task *task)
{
    task->pending++;
    task_push(queue, task);
}

void task_wake_all(struct core *core, struct task_queue *queue)
{
    struct task_queue woken = *queue;
    struct task *task;
    *queue = (struct task_queue){NULL, NULL};
    while ((task = task_pop(&woken)) != NULL)
        task_wake(core, task);
}

void tasks_run(struct core *core)
{
    struct task *task;
    while ((task = task_pop(&core->ready)) != NULL) {
        task->pending = 1;
        if (!task->step(core, task))
            task_wake(core, task);
    }
}

/* --------------------------------------------------------------------- io -- */

void io_done(void *token, int error)
{
    struct io *io = token;
    struct core *core = io->core;
    struct member *member = &core->member[io->role];
    for (struct io *one = io; one != NULL; one = one->more)
        one->error = error;
    core->io_under_way--;
    if (--member->under_way == 0 && member->idle_waiter != NULL) {
        task_wake(core, member->idle_waiter);
        member->idle_waiter = NULL;
    }
    task_wake(core, io->task);
}

const struct core_member *io_begin(struct core *core, struct task *task, struct io *io,
                                   unsigned role)
{
    struct member *member = &core->member[role];
    *io = (struct io){
        .core = core, .task = task, .role = role, .serial = member->serial, .error = 1};
    if (!member->open && member->adopter != task)
        return NULL;
    core->io_under_way++;
    member->under_way++;
    task->pending++;
    return &member->device;
}

void io_read(struct core *core, struct task *task, struct io *io, unsigned role,
             uint64_t offset, size_t len, void *buffer)
{
    const struct core_member *member = io_begin(core, task, io, role);
    if (member == NULL)
        return;
    io->piece = (struct iovec){buffer, len};
    member->calls->read(member->self, offset, &io->piece, 1, io_done, io);
}

void io_write(struct core *core, struct task *task, struct io *io, unsigned role,
              uint64_t offset, size_t len, void *buffer, bool durable)
{
    const struct core_member *member = io_begin(core, task, io, role);
    if (member == NULL)
        return;
    io->piece = (struct iovec){buffer, len};
    member->calls->write(member->self, offset, &io->piece, 1, durable, io_done, io);
}

void io_flush(struct core *core, struct task *task, struct io *io, unsigned role)
{
    const struct core_member *member = io_begin(core, task, io, role);
    if (member != NULL)
        member->calls->flush(member->self, io_done, io);
}

void io_zero(struct core *core, struct task *task, struct io *io, unsigned role,
             uint64_t offset, uint64_t len)
{
    const struct core_member *member = io_begin(core, task, io, role);
    if (member != NULL)
        member->calls->zero(member->self, offset, len, io_done, io);
}
