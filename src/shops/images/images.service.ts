import { Injectable, Logger } from '@nestjs/common';
import { lockOn } from '../../domain/limits/lock-names.js';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { ImageCodec } from './image-codec.js';
import { ImageFiles } from './image-files.js';
import { ImageReferences } from './image-references.js';
import { type EncodedImage, GRACE_MS, type Image, type ImageSize } from './image.types.js';
import { ImagesRepository } from './images.repository.js';

const nextCheck = (now = Date.now()): Date => new Date(now + GRACE_MS);

/** The images that a shop has uploaded. Equal images are one. */
@Injectable()
export class ImagesService {
  private readonly logger = new Logger('Images');

  constructor(
    private readonly images: ImagesRepository,
    private readonly files: ImageFiles,
    private readonly codec: ImageCodec,
    private readonly references: ImageReferences,
    private readonly quotas: QuotasService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Keeps the pixels of an image. The record comes before the files, so that the job finds the files of an upload that was interrupted.
   * @param bytes as they came
   * @throws AppError image_invalid, quota_reached, too_many_at_once, service_unavailable; state_conflict while the same image is removed
   */
  async upload(context: ShopContext, bytes: Buffer): Promise<Image> {
    const encoded = await this.codec.encode(bytes);
    const begun = await this.begin(context, encoded);
    if (begun.state === 'stored') return begun;
    const { shopId, hash } = begun;
    for (const [size, data] of encoded.files) await this.files.put({ shopId, hash }, size, data);
    await this.transactions.run(async (transaction) => {
      if (await this.images.move(shopId, hash, 'stored', nextCheck(), transaction)) {
        await this.audit.record(context, { action: 'image.uploaded', subjectId: begun.id }, transaction);
        return;
      }
      // An upload of the same image can have ended first.
      const found = await this.images.find(shopId, hash, transaction);
      if (found?.state !== 'stored') throw new AppError('state_conflict');
    });
    return { ...begun, state: 'stored' };
  }

  /** Creates the record of an image, or keeps the existing one for as long as a new one. */
  private begin({ shopId, principal }: ShopContext, { files: _, ...encoded }: EncodedImage): Promise<Image> {
    const work = async (transaction: Transaction): Promise<Image> => {
      const now = new Date();
      const known = await this.images.find(shopId, encoded.hash, transaction);
      if (known?.state === 'removing') throw new AppError('state_conflict');
      if (known !== null) {
        const change = { checkAt: nextCheck(), unusedSince: known.unusedSince && now };
        await this.images.touch(shopId, [known.hash], change, transaction);
        return { ...known, ...change };
      }
      const count = (upTo: number): Promise<number> => this.images.countAll(shopId, upTo, transaction);
      await this.quotas.requireRoom('imagesPerShop', shopId, count, transaction);
      const made = { createdAt: now, createdBy: principal, checkAt: nextCheck(), unusedSince: now };
      return this.images.insert({ ...encoded, ...made, shopId, state: 'pending' }, transaction);
    };
    return this.transactions.run(work, { oneAtATime: lockOn('imagesPerShop', shopId) });
  }

  list({ shopId }: ShopContext, page: PageRequest): Promise<Page<Image>> {
    return this.images.list(shopId, page);
  }

  /** A file of an image, for everybody. @throws AppError image_not_found, service_unavailable */
  async file(shopId: string, hash: string, size: ImageSize): Promise<Buffer> {
    return orNotFound(await this.files.get({ shopId, hash }, size), 'image_not_found');
  }

  /**
   * Removes an image that nothing uses.
   * @returns the image as it was
   * @throws AppError image_not_found; image_in_use, which names what uses it
   */
  async delete(context: ShopContext, hash: string): Promise<Image> {
    const { shopId } = context;
    const deleted = await this.transactions.run(async (transaction) => {
      const found = await this.images.find(shopId, hash, transaction);
      const image = orNotFound(found?.state === 'stored' ? found : null, 'image_not_found');
      // A record that begins to use it at the same time writes it too (`use`), so one of the two runs again.
      await this.images.move(shopId, hash, 'removing', new Date(), transaction);
      const user = (await this.references.usesOf(shopId, [hash], transaction)).get(hash);
      if (user !== undefined) throw new AppError('image_in_use', { message: `The image is used by a ${user}` });
      await this.audit.record(context, { action: 'image.deleted', subjectId: image.id }, transaction);
      return image;
    });
    // It is deleted for the shop by now. Files that cannot be removed are left to the job.
    await this.finishRemoval(deleted).catch((error: unknown) => {
      this.logger.warn('The files of an image could not be removed. The job does it', describeError(error));
    });
    return deleted;
  }

  /**
   * Call it in the transaction that stores a record with references to images: none of them can be removed at the same time.
   * @throws AppError image_not_found unless the shop has all of them
   */
  async use(shopId: string, hashes: readonly string[], transaction: Transaction): Promise<void> {
    if (hashes.length === 0) return;
    const found = await this.images.findAll(shopId, hashes, transaction);
    const stored = found.filter(({ state }) => state === 'stored');
    if (stored.length !== new Set(hashes).size) throw new AppError('image_not_found');
    await this.images.touch(shopId, hashes, { checkAt: nextCheck(), unusedSince: null }, transaction);
  }

  /** Removes the files of an image in the state `removing`, and then its record. @throws AppError service_unavailable */
  async finishRemoval({ shopId, hash }: Image): Promise<void> {
    await this.files.remove({ shopId, hash });
    await this.transactions.run((transaction) => this.images.delete(shopId, hash, transaction));
  }
}
