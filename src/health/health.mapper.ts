import { type JobState } from '../common/jobs/job.js';
import { type ReadinessDto } from './dto/health.dto.js';

export function toReadinessDto(jobs: readonly JobState[]): ReadinessDto {
  return {
    status: 'ok',
    jobs: jobs.map(({ name, lastFinishedAt, lastFailedAt, lastError, failuresInRow }) => ({
      name,
      lastFinishedAt: lastFinishedAt?.toISOString() ?? null,
      failuresInRow,
      lastFailedAt: lastFailedAt?.toISOString() ?? null,
      lastError,
    })),
  };
}
