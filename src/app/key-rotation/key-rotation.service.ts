import { Injectable } from '@nestjs/common';
import { BuyerPseudonyms } from '../../platform/buyers/buyer-pseudonyms.service.js';
import { type SealedRecords } from '../../platform/database/sealed-records.js';
import { Transactions } from '../../platform/database/transactions.js';
import { IdempotencyRotationService } from '../../platform/idempotency/idempotency-rotation.service.js';
import { OutboxRotationService } from '../../events/outbox/outbox-rotation.service.js';
import { CredentialRotationService } from '../../payments/accounts/credential-rotation.service.js';
import { SecondFactorRotationService } from '../../accounts/second-factor/second-factor-rotation.service.js';
import { WebhookRotationService } from '../../notifications/webhooks/webhook-rotation.service.js';

const BATCH = 100;

/** What happened to the records of one kind. */
export interface RotationResult {
  readonly kind: string;
  readonly reencrypted: number;
  /** How many were encrypted with the current key already, or have nothing encrypted. */
  readonly current: number;
  /** The ids of those that no configured key decrypts. They stay as they are. */
  readonly unreadable: readonly string[];
}

type Outcome = 'reencrypted' | 'current' | 'unreadable' | 'changed';

/**
 * Encrypts everything that is stored with the current encryption key. It can run while services run, be killed, and run again:
 * each record is written on its own, and only if it has not changed since it was read.
 */
@Injectable()
export class KeyRotationService {
  constructor(
    private readonly transactions: Transactions,
    private readonly credentials: CredentialRotationService,
    private readonly secondFactors: SecondFactorRotationService,
    private readonly responses: IdempotencyRotationService,
    private readonly webhooks: WebhookRotationService,
    private readonly messages: OutboxRotationService,
    private readonly pseudonyms: BuyerPseudonyms,
  ) {}

  /** @param done gets the result of each kind of records */
  async rotate(done: (result: RotationResult) => void): Promise<void> {
    done(await this.rotateKind(this.credentials));
    done(await this.rotateKind(this.secondFactors));
    done(await this.rotateKind(this.responses));
    done(await this.rotateKind(this.webhooks));
    done(await this.rotateKind(this.messages));
    done(await this.rotateKind(this.pseudonyms));
  }

  /** Attempts to decrypt the oldest records of each kind. Returns the kinds of which no configured key decrypts one. */
  async unreadableKinds(): Promise<string[]> {
    const kinds = [
      await this.unreadableKind(this.credentials),
      await this.unreadableKind(this.secondFactors),
      await this.unreadableKind(this.responses),
      await this.unreadableKind(this.webhooks),
      await this.unreadableKind(this.messages),
      await this.unreadableKind(this.pseudonyms),
    ];
    return kinds.filter((kind) => kind !== null);
  }

  private async unreadableKind<Item extends { readonly id: string }, Values>(
    records: SealedRecords<Item, Values>,
  ): Promise<string | null> {
    const sample = await records.listAfter(null, BATCH);
    return sample.some((item) => resealed(records, item) === 'unreadable') ? records.kind : null;
  }

  private async rotateKind<Item extends { readonly id: string }, Values>(
    records: SealedRecords<Item, Values>,
  ): Promise<RotationResult> {
    const counts = { reencrypted: 0, current: 0, unreadable: 0 };
    const unreadable: string[] = [];
    let last: string | null = null;
    for (;;) {
      const batch: readonly Item[] = await records.listAfter(last, BATCH);
      if (batch.length === 0) return { kind: records.kind, ...counts, unreadable };
      for (const item of batch) {
        const outcome = await this.rotateOne(records, item);
        // The next batch begins with this record and reads its new values.
        if (outcome === 'changed') break;
        counts[outcome]++;
        if (outcome === 'unreadable') unreadable.push(item.id);
        last = item.id;
      }
    }
  }

  private async rotateOne<Item extends { readonly id: string }, Values>(
    records: SealedRecords<Item, Values>,
    item: Item,
  ): Promise<Outcome> {
    const sealed = resealed(records, item);
    if (sealed === 'unreadable') return 'unreadable';
    if (sealed === null) return 'current';
    const replaced = await this.transactions.run((transaction) => records.replace(item, sealed, transaction));
    return replaced ? 'reencrypted' : 'changed';
  }
}

function resealed<Item extends { readonly id: string }, Values>(
  records: SealedRecords<Item, Values>,
  item: Item,
): Values | null | 'unreadable' {
  try {
    return records.reseal(item);
  } catch {
    return 'unreadable';
  }
}
