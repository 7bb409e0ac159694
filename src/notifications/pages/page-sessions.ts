import { type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { deriveKey, equalInConstantTime } from '../../lib/crypto/keyed-hash.js';
import { derivedSecret } from '../../lib/crypto/opaque-token.js';
import { SecretBox } from '../../lib/crypto/secret-box.js';
import { cookieValues } from '../../http/requests/cookie-values.js';
import { PageLinks } from '../../http/addresses/page-links.js';
import { HOUR_MS } from '../../lib/time/durations.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';

export const COOKIE_NAME = 'page';
/** Long enough for a payment at a provider; after that, the link in the email opens the page again. */
const LIFETIME_MS = 2 * HOUR_MS;

/** What the cookie of a page says. */
export interface PageSession {
  /** The secret of the link that opened the page. */
  readonly secret: string;
  /** What each form of the page must contain. It belongs to this cookie. */
  readonly formToken: string;
}

/** A cookie as it is set. */
export interface SettledSession {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly secure: boolean;
  readonly lifetimeMs: number;
}

interface Content {
  readonly secret: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/**
 * The cookies that take the place of the secret in a link. A cookie is encrypted for its page, so it opens no other one, and its
 * content can be neither read nor changed. Nothing is stored.
 */
@Injectable()
export class PageSessions {
  private readonly box: SecretBox;
  private readonly formKey: KeyObject;

  constructor(
    config: AppConfig,
    private readonly links: PageLinks,
  ) {
    this.box = new SecretBox(config, 'page-sessions');
    this.formKey = deriveKey(config.encryptionKey, 'page-forms');
  }

  /** @param path the path of the page below the prefix of the API; the cookie is sent only there and below */
  open(path: string, secret: string): SettledSession {
    const content: Content = { secret, until: Date.now() + LIFETIME_MS };
    return { ...this.cookieOf(path), value: this.box.seal(JSON.stringify(content), path), lifetimeMs: LIFETIME_MS };
  }

  /** A cookie without a value, to remove that of a page. */
  cookieOf(path: string): SettledSession {
    const secure = this.links.to(path).startsWith('https:');
    return { name: COOKIE_NAME, value: '', path: this.links.pathOf(path), secure, lifetimeMs: 0 };
  }

  /** The session of a page, or null when no cookie of the request was made for it, or when its time is over. */
  read(path: string, cookieHeader: string | undefined): PageSession | null {
    for (const value of cookieValues(cookieHeader, COOKIE_NAME)) {
      const content = this.contentOf(value, path);
      if (content !== null && content.until > Date.now()) {
        return { secret: content.secret, formToken: derivedSecret(this.formKey, value) };
      }
    }
    return null;
  }

  isFormOf({ formToken }: PageSession, given: unknown): boolean {
    return typeof given === 'string' && equalInConstantTime(formToken, given);
  }

  private contentOf(value: string, path: string): Content | null {
    const text = this.box.tryOpen(value, path);
    return text === null ? null : (JSON.parse(text) as Content);
  }
}
