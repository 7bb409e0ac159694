import { Injectable } from '@nestjs/common';
import { keysFor, type PurposeKey } from '../../lib/crypto/encryption-keys.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { derivedSecret } from '../../lib/crypto/opaque-token.js';
import { SecretBox } from '../../lib/crypto/secret-box.js';
import { AppError } from '../../domain/errors/app-error.js';
import { DAY_MS, MINUTE_MS } from '../../lib/time/durations.js';
import { newObjectId } from '../../lib/ids/object-id.js';
import { AppConfig } from '../config/app-config.js';
import { type Creation } from './creation.js';
import {
  type EarlierRequest,
  IdempotencyRepository,
  type SealedResponse,
  type StartedRequest,
} from './idempotency.repository.js';

const LEASE_MS = MINUTE_MS;
const RETENTION_MS = DAY_MS;
/** Stored instead of a response that shows a secret. */
const NOT_STORED = '';

/** A request with an `Idempotency-Key`. */
export interface IdempotentRequest {
  /** Who calls, or `anonymous`. */
  readonly principal: string;
  readonly path: string;
  readonly key: string;
  readonly body: unknown;
}

/** A request that was begun: its scope while it runs, or the stored response of an earlier request with the same key. */
export type BegunRequest = { readonly scope: string; readonly creation: Creation } | { readonly response: unknown };

/** Stores responses for 24 hours (draft-ietf-httpapi-idempotency-key-header). */
@Injectable()
export class IdempotencyService {
  private readonly box: SecretBox;
  private readonly secretKeys: readonly [PurposeKey, ...PurposeKey[]];

  constructor(
    private readonly records: IdempotencyRepository,
    config: AppConfig,
  ) {
    this.box = new SecretBox(config, 'idempotency');
    this.secretKeys = keysFor(config, 'idempotent-creations');
  }

  /**
   * Begins a request, or finds the response of an earlier one with the same key and body.
   * @throws AppError idempotency_mismatch for another body, idempotency_in_progress while the first one runs, secret_shown_once
   * when its response was not stored, stored_response_unreadable when the encryption key has changed since
   */
  async begin({ principal, path, key, body }: IdempotentRequest): Promise<BegunRequest> {
    const now = new Date();
    const request = {
      scope: sha256(`${principal}\n${path}\n${key}`),
      fingerprint: sha256(JSON.stringify(body ?? null)),
      leaseUntil: new Date(now.getTime() + LEASE_MS),
      expiresAt: new Date(now.getTime() + RETENTION_MS),
      creationId: newObjectId(now),
      keyId: this.secretKeys[0].id,
    };
    const { scope } = request;
    if (await this.records.insert(request)) return { scope, creation: this.creation(request, false) };
    const earlier = await this.records.find(scope);
    // The earlier request was rejected and forgotten in the meantime. The next attempt will run.
    if (earlier === null) throw new AppError('idempotency_in_progress');
    if (earlier.expiresAt <= now) return this.takeOver(request, earlier, false);
    if (earlier.fingerprint !== request.fingerprint) throw new AppError('idempotency_mismatch');
    if (earlier.sealedAnswer === null) {
      if (earlier.leaseUntil > now) throw new AppError('idempotency_in_progress');
      return this.takeOver({ ...request, creationId: earlier.creationId, keyId: earlier.keyId }, earlier, true);
    }
    if (earlier.sealedAnswer === NOT_STORED) throw new AppError('secret_shown_once');
    return { response: this.open(earlier.sealedAnswer, scope) };
  }

  finish(scope: string, response: unknown): Promise<void> {
    return this.records.finish(scope, this.box.seal(JSON.stringify(response), scope));
  }

  /** Ends a request whose response must not be stored. */
  finishWithoutResponse(scope: string): Promise<void> {
    return this.records.finish(scope, NOT_STORED);
  }

  forget(scope: string): Promise<void> {
    return this.records.forget(scope);
  }

  /** A stored response, encrypted with the current key; null when there is nothing to encrypt again. @throws when unreadable */
  reseal({ scope, sealedAnswer }: SealedResponse): string | null {
    if (sealedAnswer === null || sealedAnswer === NOT_STORED) return null;
    const resealed = this.box.reseal(sealedAnswer, scope);
    return resealed === sealedAnswer ? null : resealed;
  }

  private async takeOver(request: StartedRequest, earlier: EarlierRequest, isRepeated: boolean): Promise<BegunRequest> {
    if (!(await this.records.takeOver(request, earlier))) throw new AppError('idempotency_in_progress');
    return { scope: request.scope, creation: this.creation(request, isRepeated) };
  }

  private open(sealedAnswer: string, scope: string): unknown {
    try {
      return JSON.parse(this.box.open(sealedAnswer, scope));
    } catch (cause) {
      throw new AppError('stored_response_unreadable', { cause });
    }
  }

  /**
   * Derives the secret from the request and the service's key, so that it is stored nowhere. A repeated request uses the key of the
   * first one, also after the key has changed.
   */
  private creation({ scope, creationId: id, keyId }: StartedRequest, isRepeated: boolean): Creation {
    const { key } = this.secretKeys.find((one) => one.id === keyId) ?? this.secretKeys[0];
    return { id, secret: derivedSecret(key, `${scope}:${id}`), isRepeated };
  }
}
