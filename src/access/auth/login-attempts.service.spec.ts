import { beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '../../domain/errors/app-error.js';
import { type RateLimiter } from '../../http/throttling/rate-limiter.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { type ClientDevice } from './device.js';
import { LoginAttemptsService } from './login-attempts.service.js';

const EMAIL = 'robin@example.com';
const HOME: ClientDevice = { name: 'Mozilla/5.0 (X11) Firefox/140.0', address: '203.0.113.7', language: 'en' };
const CAFE: ClientDevice = { ...HOME, address: '198.51.100.7' };

let counted: string[];
let full: string | null;

const serviceWith = (encryptionKey: string): LoginAttemptsService => {
  const limiter = {
    consume: (name: string, subject: string) => {
      counted.push(`${name} ${subject}`);
      return name === full ? Promise.reject(new AppError('rate_limited')) : Promise.resolve();
    },
  } as unknown as RateLimiter;
  return new LoginAttemptsService(limiter, { encryptionKey: Buffer.from(encryptionKey) } as AppConfig);
};
const service = serviceWith('a');
const home = service.known(HOME);
const cafe = service.known(CAFE);

beforeEach(() => {
  [counted, full] = [[], null];
});

describe('how an account remembers a device', () => {
  it('remembers a device by network and program, for every version of the program', () => {
    expect(service.known({ ...HOME, name: 'Mozilla/5.0 (X11) Firefox/141.0.2' })).toEqual(home);
    expect(cafe.network).not.toBe(home.network);
    expect(cafe.device).not.toBe(home.device);
    const curl = service.known({ ...HOME, name: 'curl/8.5.0' });
    expect(curl).toEqual({ network: home.network, device: expect.not.stringContaining(home.device) });
    expect(service.known({ ...HOME, name: null, address: undefined }).device).not.toBe(
      service.known({ ...HOME, name: null }).device,
    );
  });

  it('hashes a device, which shows nothing about it without the key of the service', () => {
    expect(Object.values(home)).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}$/),
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ]);
    expect(serviceWith('b').known(HOME).network).not.toBe(home.network);
  });
});

describe('an attempt to log in', () => {
  it('counts an attempt for its network and account, and for the account alone where the person never logged in', async () => {
    await service.count(EMAIL, { passwordChangedAt: null, logins: 0, knownDevices: [home] }, cafe);
    expect(counted).toEqual([`loginAccount ${EMAIL} 0 ${cafe.network}`, `loginAccountTotal ${EMAIL}`]);
  });

  it('counts an attempt for its network and account only where the person has logged in', async () => {
    await service.count(EMAIL, { passwordChangedAt: null, logins: 0, knownDevices: [cafe, home] }, home);
    expect(counted).toEqual([`loginAccount ${EMAIL} 0 ${home.network}`]);
  });

  it('counts an unknown account like a known one', async () => {
    await service.count(EMAIL, null, cafe);
    expect(counted).toEqual([`loginAccount ${EMAIL} 0 ${cafe.network}`, `loginAccountTotal ${EMAIL}`]);
  });

  it('counts separately after a password change', async () => {
    await service.count(EMAIL, { passwordChangedAt: new Date(0), logins: 0, knownDevices: [] }, cafe);
    const account = `${EMAIL} 1970-01-01T00:00:00.000Z`;
    expect(counted).toEqual([`loginAccount ${account} 0 ${cafe.network}`, `loginAccountTotal ${account}`]);
  });

  it('begins a new count for its network after a login that succeeded, and not for the account', async () => {
    await service.count(EMAIL, { passwordChangedAt: null, logins: 7, knownDevices: [home] }, cafe);
    expect(counted).toEqual([`loginAccount ${EMAIL} 7 ${cafe.network}`, `loginAccountTotal ${EMAIL}`]);
  });

  it('uses up nothing of the account when its network has no attempts left', async () => {
    full = 'loginAccount';
    await expect(service.count(EMAIL, null, cafe)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(counted).toHaveLength(1);
  });
});
