import { Module } from '@nestjs/common';
import { BackgroundJobs } from './background-jobs.js';

/** Not global: Nest stops global modules last, among them the one with the database, which the last rounds still need. */
@Module({ providers: [BackgroundJobs], exports: [BackgroundJobs] })
export class JobsModule {}
