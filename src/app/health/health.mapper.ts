import { type ReadinessDto } from './dto/health.dto.js';
import { type ProductVersion } from '../../infrastructure/version/product-version.js';
import { type SurroundingState } from './health.service.js';

export function toReadinessDto(
  { jobs, outbox, mail, limitsCountedIn, dataDisk }: SurroundingState,
  product: ProductVersion | null,
): ReadinessDto {
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
    mail: {
      destination: mail.destination,
      problem: mail.problem,
      waiting: mail.waiting,
      oldestAt: mail.oldestAt?.toISOString() ?? null,
      lastError: mail.lastError,
      failedInLastDay: mail.failedInLastDay,
      lastFailedAt: mail.lastFailedAt?.toISOString() ?? null,
    },
    limitsCountedIn,
    dataDisk,
    version: product?.version ?? null,
    commit: product?.commit ?? null,
  };
}
