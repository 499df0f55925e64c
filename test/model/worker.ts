// A worker thread of a model run: takes a job, answers with its result.
import { parentPort } from 'node:worker_threads';
import { runJob, type Job } from './jobs.ts';

parentPort?.on('message', (job: Job) => {
  void runJob(job).then((result) => parentPort?.postMessage(result));
});
