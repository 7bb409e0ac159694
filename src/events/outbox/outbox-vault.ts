import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../lib/crypto/secret-box.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { type OutboxItem, type WaitingEntry } from './outbox.types.js';
import { type SealedPayload } from './outbox-entries.repository.js';

/** Encrypts the payloads of waiting messages: they contain codes, tokens and addresses. Each can be decrypted only for its message. */
@Injectable()
export class OutboxVault {
  private readonly box: SecretBox;

  constructor(config: AppConfig) {
    this.box = new SecretBox(config, 'outbox');
  }

  seal(id: string, payload: unknown): string {
    return this.box.seal(JSON.stringify(payload), id);
  }

  /** @throws when it was encrypted with a key that is not configured */
  open({ id, sealedPayload }: SealedPayload): unknown {
    return JSON.parse(this.box.open(sealedPayload, id));
  }

  /** A waiting message for its handler. @throws as `open` */
  itemOf(entry: WaitingEntry): OutboxItem {
    const { id, topic, shopId, orderId, attempts, createdAt } = entry;
    return { id, topic, shopId, orderId, attempts, createdAt, payload: this.open(entry) };
  }

  /** Returns null where `open` throws. */
  tryOpen({ id, sealedPayload }: SealedPayload): unknown {
    const json = this.box.tryOpen(sealedPayload, id);
    return json === null ? null : JSON.parse(json);
  }

  /** Encrypted with the current key; null when it is already. @throws as `open` */
  reseal({ id, sealedPayload }: SealedPayload): string | null {
    const resealed = this.box.reseal(sealedPayload, id);
    return resealed === sealedPayload ? null : resealed;
  }
}
