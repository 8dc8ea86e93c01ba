/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs of the caller, and the shortest one: stopping. */
#include "config.h"

#include "internal.h"

#include "why.h"

#include <stdlib.h>

void *job_make(struct core *core, size_t size, core_job_done *done, void *token)
{
    struct job *job = calloc(1, size);
    if (job == NULL) {
        done(token, PXR_ENOMEM, "there is not enough memory");
        return NULL;
    }
    job->done = done;
    job->token = token;
    job->next = core->jobs;
    core->jobs = job;
    return job;
}

void job_start(struct core *core, struct job *job, task_step *step)
{
    task_start(core, &job->task, step);
}

static void job_free(struct job *job)
{
    if (job->destroy != NULL)
        job->destroy(job);
    free(job);
}

bool job_end(struct core *core, struct job *job, int status)
{
    struct job **at = &core->jobs;
    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
    if (status == PXR_OK)
        job->why.text[0] = 0;
    else if (job->why.text[0] == 0)
        pxa_because(&job->why, status, "%s", pxa_strerror(status));
    job->done(job->token, status, job->why.text);
    job_free(job);
    return true;
}

void jobs_destroy(struct core *core)
{
    while (core->jobs != NULL) {
        struct job *next = core->jobs->next;
        job_free(core->jobs);
        core->jobs = next;
    }
}

/* ---------------------------------------------------------------- stopping -- */

struct stop {
    struct job job;
    uint64_t last;
};

static bool stop_step(struct core *core, struct task *task)
{
    struct stop *stop = (struct stop *)task;
    TASK_BEGIN(task);
    if (!core->assembled || core->stopping)
        return job_end(core, &stop->job, PXR_EINVAL);
    core->stopping = true;
    while (!core->dead && core->sync.under_way + core->scrub.under_way > 0) {
        checkpoint_want(core, task);
        TASK_WAIT(task);
    }
    stop->last = epochs_last_used(core);
    while (!core->dead && core->epochs.last_placed < stop->last) {
        core->epochs.commit_wanted = true;
        task_queue_up(&core->epochs.placed, task);
        TASK_WAIT(task);
    }
    if (!core->dead)
        checkpoint_want(core, task);
    TASK_WAIT(task);
    task_queue_up(&core->idle, task);
    TASK_WAIT(task);
    return job_end(core, &stop->job, core->dead ? PXA_EIO : PXR_OK);
    TASK_END(task);
}

void core_stop(struct core *core, core_job_done *done, void *token)
{
    struct stop *stop = job_make(core, sizeof *stop, done, token);
    if (stop != NULL)
        job_start(core, &stop->job, stop_step);
}
