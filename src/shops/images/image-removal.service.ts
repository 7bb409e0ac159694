import { Injectable, Logger } from '@nestjs/common';
import { AuditService } from '../../events/audit/audit.service.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { BackgroundJobs } from '../../infrastructure/jobs/background-jobs.js';
import { type Group, workOff } from '../../infrastructure/jobs/claimed-work.js';
import { type Job } from '../../infrastructure/jobs/job.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { verdictOn } from './image-rules.js';
import { ImageReferences } from './image-references.js';
import { GRACE_MS, type Image } from './image.types.js';
import { ImagesRepository } from './images.repository.js';
import { ImagesService } from './images.service.js';

/** How many images a process claims at once. Their files are removed one after the other. */
const BATCH_SIZE = 50;
const LEASE_MS = 10 * MINUTE_MS;
const SYSTEM = { principal: 'system' };

/** Removes images that nothing has used for a week, uploads that were interrupted, and files whose removal was. */
@Injectable()
export class ImageRemovalService {
  private readonly job: Job;
  private readonly logger = new Logger('Images');

  constructor(
    private readonly images: ImagesRepository,
    private readonly service: ImagesService,
    private readonly references: ImageReferences,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
    jobs: BackgroundJobs,
  ) {
    this.job = jobs.add('unused-images', () => this.round());
  }

  private round(): Promise<void> {
    return workOff<Image>(this.job, {
      batchSize: BATCH_SIZE,
      claim: (limit) => this.claim(limit),
      groupOf: ({ shopId }) => shopId,
      idsOf: ({ shopId }) => ({ shopId }),
      work: (group) => this.check(group),
      onFailure: ({ hash }, error) => {
        this.logger.warn(`The image ${hash} could not be checked`, describeError(error));
      },
    });
  }

  private claim(limit: number): Promise<Image[]> {
    const now = new Date();
    const until = new Date(now.getTime() + LEASE_MS);
    return this.transactions.run((transaction) => this.images.claimDue(now, until, limit, transaction));
  }

  /** @param group images of one shop */
  private async check(group: Group<Image>): Promise<void> {
    const [{ shopId }] = group;
    const hashes = group.map(({ hash }) => hash);
    const removed = await this.transactions.run(async (transaction) => {
      const now = new Date();
      // As they are now: one can be in use again since the claim.
      const images = await this.images.findAll(shopId, hashes, transaction);
      const uses = await this.references.usesOf(shopId, hashes, transaction);
      const toRemove: Image[] = [];
      for (const image of images) {
        const verdict = verdictOn(image, uses.has(image.hash), now);
        if (verdict === 'remove') toRemove.push(image);
        else {
          const checkAt = new Date(now.getTime() + GRACE_MS);
          await this.images.touch(shopId, [image.hash], { ...verdict, checkAt }, transaction);
        }
      }
      for (const image of toRemove.filter(({ state }) => state !== 'removing')) {
        const again = new Date(now.getTime() + LEASE_MS);
        await this.images.move(shopId, image.hash, 'removing', again, transaction);
        const write = { action: 'image.deleted', subjectId: image.id } as const;
        await this.audit.record({ shopId, ...SYSTEM }, write, transaction);
      }
      return toRemove;
    });
    for (const image of removed) await this.service.finishRemoval(image);
  }
}
