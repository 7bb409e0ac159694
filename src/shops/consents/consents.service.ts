import { Injectable } from '@nestjs/common';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { type ConsentSettings, hashOf, wordingsOf } from './consent-rules.js';
import { ConsentTextsRepository } from './consent-texts.repository.js';
import { type ConsentText, type ConsentVersion, type ConsentWording, type RequiredConsent } from './consent.types.js';

/** What shops require their buyers to agree to, in versions. */
@Injectable()
export class ConsentsService {
  constructor(
    private readonly texts: ConsentTextsRepository,
    private readonly quotas: QuotasService,
  ) {}

  /**
   * Gives each wording that settings require its version, in the transaction that stores the settings. A wording that the shop has had before gets
   * its earlier version again.
   * @throws AppError quota_reached
   */
  async publish(shopId: string, settings: ConsentSettings, transaction: Transaction): Promise<RequiredConsent[]> {
    const required: RequiredConsent[] = [];
    for (const wording of wordingsOf(settings)) required.push(await this.versionOf(shopId, wording, transaction));
    return required;
  }

  /** The wording of a version. @throws AppError consent_not_found */
  async get({ shopId }: Pick<ShopContext, 'shopId'>, version: ConsentVersion): Promise<ConsentText> {
    return orNotFound(await this.texts.find(shopId, version, null), 'consent_not_found');
  }

  /** The wordings of some versions, in their order. @throws AppError consent_not_found */
  async textsOf(
    shopId: string,
    versions: readonly ConsentVersion[],
    transaction: Transaction,
  ): Promise<readonly ConsentText[]> {
    const texts: ConsentText[] = [];
    for (const version of versions) {
      texts.push(orNotFound(await this.texts.find(shopId, version, transaction), 'consent_not_found'));
    }
    return texts;
  }

  private async versionOf(shopId: string, wording: ConsentWording, transaction: Transaction): Promise<RequiredConsent> {
    const { kind, statement } = wording;
    const hash = hashOf(wording);
    const known = await this.texts.findByHash(shopId, kind, hash, transaction);
    if (known !== null) return { kind, version: known.version, hash, statement };
    const count = (upTo: number): Promise<number> => this.texts.count(shopId, upTo, transaction);
    await this.quotas.requireRoom('consentTextsPerShop', shopId, count, transaction);
    const version = (await this.texts.latestVersion(shopId, kind, transaction)) + 1;
    await this.texts.insert(shopId, { ...wording, version, hash, createdAt: new Date() }, transaction);
    return { kind, version, hash, statement };
  }
}
