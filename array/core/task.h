/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks: what the core does, as functions that stop where they have to wait.  A step function
 * keeps what it needs in its structure, not in local variables:
 *
 *     static bool step(struct core *core, struct task *task)
 *     {
 *         TASK_BEGIN(task);
 *         begin some operations of members, or join a queue
 *         TASK_WAIT(task);      returns, and goes on here when all of them have ended
 *         ...
 *         TASK_END(task);
 *     }
 *
 * It returns true when the task is finished, and nobody looks at the task after that.
 */
#ifndef PXA_CORE_TASK_H
#define PXA_CORE_TASK_H

#include <stdbool.h>
#include <stddef.h>

struct core;
struct task;

typedef bool task_step(struct core *core, struct task *task);

struct task {
    task_step *step;
    int line;          /* where it goes on */
    unsigned pending;  /* what it waits for; 1 more while its step runs */
    struct task *next; /* in the queue in which it is */
};

struct task_queue {
    struct task *first, *last;
};

#define TASK_BEGIN(task)    \
    switch ((task)->line) { \
    case 0:
#define TASK_WAIT(task)          \
    do {                         \
        (task)->line = __LINE__; \
        return false;            \
    case __LINE__:;              \
    } while (0)
#define TASK_END(task) \
    }                  \
    return true

void task_push(struct task_queue *queue, struct task *task);
struct task *task_pop(struct task_queue *queue); /* NULL if it is empty */

/* Begins a task: its step will be called soon. */
void task_start(struct core *core, struct task *task, task_step *step);

/* One thing that a task waits for has happened. */
void task_wake(struct core *core, struct task *task);

/* The running task joins a queue, and waits for a task_wake(). */
void task_queue_up(struct task_queue *queue, struct task *task);

/* Wakes all tasks of a queue. */
void task_wake_all(struct core *core, struct task_queue *queue);

#endif
