import { createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { keyId } from '../../lib/crypto/encryption-keys.js';
import { keyedHash } from '../../lib/crypto/keyed-hash.js';
import { randomSecret } from '../../lib/crypto/opaque-token.js';
import { SecretBox } from '../../lib/crypto/secret-box.js';
import { SealedRecordsRegistry } from '../database/sealed-records.js';
import { type BuyerKeys } from '../../domain/buyers/buyer-keys.js';
import {
  ERASED_DIGITS,
  erasedMailbox,
  erasedNickname,
  isErasedMailbox,
  isErasedNickname,
} from '../../domain/buyers/erased-buyer.js';
import { ErasureKeysRepository, type SealedErasureKey } from './erasure-keys.repository.js';

const ALL = 100;

/**
 * What replaces the identity of a buyer whom a shop erases: keyed hashes of the mailbox and the nickname, which look like an address
 * and a nickname. Nobody can compute them back, and whoever has the key can compare them: so bans still hit. The key is stored,
 * encrypted, so that a change of the encryption key changes no hash.
 */
@Injectable()
export class BuyerPseudonyms implements OnModuleInit, OnApplicationBootstrap {
  private readonly box: SecretBox;
  private keys: readonly KeyObject[] = [];

  constructor(
    private readonly stored: ErasureKeysRepository,
    private readonly config: AppConfig,
    records: SealedRecordsRegistry,
  ) {
    this.box = new SecretBox(config, 'erased-buyers');
    records.add({ kind: 'keys of erased buyers', repository: stored, vault: this });
  }

  async onModuleInit(): Promise<void> {
    this.keys = await this.readable();
  }

  /**
   * Makes the key at the first start, and at a start after the encryption key was lost. Only now, when a start with a wrong encryption
   * key has failed already.
   */
  async onApplicationBootstrap(): Promise<void> {
    if (this.keys.length > 0) return;
    const id = keyId(this.config.encryptionKey);
    await this.stored.insertIfAbsent({ id, sealedKey: this.box.seal(randomSecret(), id) });
    this.keys = await this.readable();
  }

  /** The keys of a buyer as they are stored after the erasure. */
  of(shopId: string, buyer: BuyerKeys): BuyerKeys {
    return pseudonymOf(this.currentKey(), shopId, buyer);
  }

  /** As `of`, with every key that an erasure may have used. */
  allOf(shopId: string, buyer: BuyerKeys): BuyerKeys[] {
    return this.keys.map((key) => pseudonymOf(key, shopId, buyer));
  }

  /** A name for a player or a mailbox in the addresses of pages, which logs have: not the one that replaces an erased buyer. */
  addressOf(shopId: string, kind: 'player' | 'mailbox', name: string): string {
    return keyedHash(this.currentKey(), `address of ${kind}/${shopId}/${name}`).slice(0, ERASED_DIGITS);
  }

  /** A key, encrypted with the current encryption key; null when it is already. @throws when it cannot be decrypted */
  reseal({ id, sealedKey }: SealedErasureKey): string | null {
    const resealed = this.box.reseal(sealedKey, id);
    return resealed === sealedKey ? null : resealed;
  }

  private currentKey(): KeyObject {
    const [key] = this.keys;
    if (key === undefined) throw new Error('the key of erased buyers cannot be decrypted');
    return key;
  }

  private async readable(): Promise<KeyObject[]> {
    const found = await this.stored.listAfter(null, ALL);
    return found
      .map(({ id, sealedKey }) => this.box.tryOpen(sealedKey, id))
      .filter((secret) => secret !== null)
      .map((secret) => createSecretKey(Buffer.from(secret, 'base64url')));
  }
}

/** A name that is one already stays as it is. The shop is part of the hash, so that nobody can tell that a person bought in two shops. */
function pseudonymOf(key: KeyObject, shopId: string, { buyerKey, nicknameKey }: BuyerKeys): BuyerKeys {
  const hash = (kind: string, text: string): string =>
    keyedHash(key, `${kind}/${shopId}/${text}`).slice(0, ERASED_DIGITS);
  return {
    buyerKey: isErasedMailbox(buyerKey) ? buyerKey : erasedMailbox(hash('mailbox', buyerKey)),
    nicknameKey: isErasedNickname(nicknameKey) ? nicknameKey : erasedNickname(hash('nickname', nicknameKey)),
  };
}
