import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { type PageLinks } from '../../http/addresses/page-links.js';
import { HOUR_MS } from '../../lib/time/durations.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { PageSessions } from './page-sessions.js';

const PLACE = 'pages/orders/1';
const OLD = Buffer.alloc(32, 1);
const NEW = Buffer.alloc(32, 2);

function sessionsWith(
  encryptionKey: Buffer,
  previousEncryptionKey: Buffer | null = null,
  base = 'http://x',
): PageSessions {
  const links = { to: (path: string) => `${base}/${path}`, pathOf: (path: string) => `/${path}` };
  return new PageSessions({ encryptionKey, previousEncryptionKey } as AppConfig, links as PageLinks);
}

describe('The cookie of a page', () => {
  const sessions = sessionsWith(OLD);
  const header = (path = PLACE): string => `page=${encodeURIComponent(sessions.open(path, 'secret').value)}`;

  beforeEach(() => {
    stopClock(new Date('2026-11-21T12:00:00Z'));
  });
  afterEach(startClock);

  it('seals the secret in the cookie for its page only, and shows it to nobody', () => {
    expect(sessions.read(PLACE, header())?.secret).toBe('secret');
    expect(header()).not.toContain('secret');
    for (const path of ['pages/orders/2', 'pages/orders', 'pages/invitations']) {
      expect(sessions.read(path, header())).toBeNull();
    }
    expect(sessions.read(PLACE, undefined)).toBeNull();
  });

  it('ends after two hours', () => {
    const cookie = header();
    jest.advanceTimersByTime(2 * HOUR_MS - 1);
    expect(sessions.read(PLACE, cookie)).not.toBeNull();
    jest.advanceTimersByTime(1);
    expect(sessions.read(PLACE, cookie)).toBeNull();
  });

  it('opens a cookie while the encryption key is replaced, and not with another key', () => {
    expect(sessionsWith(NEW, OLD).read(PLACE, header())?.secret).toBe('secret');
    expect(sessionsWith(NEW).read(PLACE, header())).toBeNull();
  });

  it('restricts the cookie to TLS only when the service has such an address', () => {
    expect(sessions.open(PLACE, 'secret').secure).toBe(false);
    expect(sessionsWith(OLD, null, 'https://x').open(PLACE, 'secret').secure).toBe(true);
  });

  it('creates a form token for each cookie that no other cookie has', () => {
    const [one, other] = [sessions.read(PLACE, header()), sessions.read(PLACE, header())];
    if (one === null || other === null) throw new Error('The cookies were not read');
    expect(sessions.isFormOf(one, one.formToken)).toBe(true);
    for (const given of [other.formToken, '', undefined, null, [one.formToken], {}]) {
      expect(sessions.isFormOf(one, given)).toBe(false);
    }
  });
});
