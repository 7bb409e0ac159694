import { type ReadinessDto } from './dto/health.dto.js';
import { type BackgroundState } from './health.service.js';

export function toReadinessDto({ jobs, outbox }: BackgroundState): ReadinessDto {
  return {
    status: 'ok',
    jobs: jobs.map(({ name, lastFinishedAt, lastFailedAt, lastError, failuresInRow }) => ({
      name,
      lastFinishedAt: lastFinishedAt?.toISOString() ?? null,
      failuresInRow,
      lastFailedAt: lastFailedAt?.toISOString() ?? null,
      lastError,
    })),
    outbox: {
      failedInLastDay: outbox.failedInLastDay,
      lastFailedAt: outbox.lastFailedAt?.toISOString() ?? null,
    },
  };
}
