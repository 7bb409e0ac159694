import { type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { deriveKey, keyedHash } from '../../lib/crypto/keyed-hash.js';
import { networkOf } from '../../lib/network/network-of.js';
import { RateLimiter } from '../../http/throttling/rate-limiter.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { type KnownDevice, type LoginHistory } from '../../accounts/users/user.types.js';
import { type ClientDevice } from './device.js';

/**
 * Limits the guesses at a password so that a stranger cannot lock a person out: each network has a number of attempts of its
 * own, and only networks where the person has never logged in share another one.
 */
@Injectable()
export class LoginAttemptsService {
  private readonly key: KeyObject;

  constructor(
    private readonly limiter: RateLimiter,
    { encryptionKey }: AppConfig,
  ) {
    this.key = deriveKey(encryptionKey, 'known-devices');
  }

  /** How an account remembers a device. A new version of a program is the same program. */
  known({ name, address }: ClientDevice): KnownDevice {
    const network = networkOf(address);
    const program = (name ?? '').replace(/\d+(?:[._]\d+)*/g, '');
    return { network: keyedHash(this.key, network), device: keyedHash(this.key, `${network}\n${program}`) };
  }

  /**
   * Counts an attempt. Attempts before and after a password change are counted separately: wrong guesses do not lock out a
   * person who has set a new password since. In a network, a login that succeeds begins a new count: whoever logs in often must
   * not be taken for somebody who guesses.
   * @param history null when there is no such account
   * @throws AppError rate_limited
   */
  async count(email: string, history: LoginHistory | null, { network }: KnownDevice): Promise<void> {
    const account = `${email} ${history?.passwordChangedAt?.toISOString() ?? ''}`.trim();
    await this.limiter.consume('loginAccount', `${account} ${history?.logins ?? 0} ${network}`);
    const isKnown = history?.knownDevices.some((device) => device.network === network) ?? false;
    if (!isKnown) await this.limiter.consume('loginAccountTotal', account);
  }
}
