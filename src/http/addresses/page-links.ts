import { type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { keysFor } from '../../lib/crypto/encryption-keys.js';
import { equalInConstantTime } from '../../lib/crypto/keyed-hash.js';
import { derivedSecret } from '../../lib/crypto/opaque-token.js';
import { API_PREFIX } from './api-prefix.js';
import { PublicUrl } from './public-url.js';

/** The paths of the pages below the prefix of the API. */
export const PAGE_PATHS = {
  orders: 'pages/orders',
  invitations: 'pages/invitations',
  passwordResets: 'pages/password-resets',
  emailChanges: 'pages/email-changes',
} as const;

/**
 * The addresses that emails contain, each with its secret in the path: what is there appears in no log line and in no error
 * body. The page behind it keeps the secret in a cookie and sends the reader to an address without it.
 */
@Injectable()
export class PageLinks {
  private readonly keys: readonly [KeyObject, ...KeyObject[]];

  constructor(
    config: AppConfig,
    private readonly url: PublicUrl,
  ) {
    const [{ key }, ...previous] = keysFor(config, 'order-page-links');
    this.keys = [key, ...previous.map((one) => one.key)];
  }

  /**
   * The page of an order in the storefront of its shop, for whoever has its email: paid or not, delivered or not, another nickname. It is
   * at the address of the service, which serves it also where the shop's own host leads to a storefront of somebody else.
   */
  order(uniqueName: string, orderId: string): string {
    return `${this.url.base()}/shops/${uniqueName}/orders/${orderId}/${derivedSecret(this.keys[0], orderId)}`;
  }

  /** The page that accepts or declines an invitation. @param token as the invitation was made */
  invitation(token: string): string {
    return this.to(`${PAGE_PATHS.invitations}/${encodeURIComponent(token)}`);
  }

  /** The page that sets a new password. @param token as the reset was made */
  passwordReset(token: string): string {
    return this.to(`${PAGE_PATHS.passwordResets}/${encodeURIComponent(token)}`);
  }

  /** The page that confirms a new email address. @param token as the change was made */
  emailChange(token: string): string {
    return this.to(`${PAGE_PATHS.emailChanges}/${encodeURIComponent(token)}`);
  }

  /**
   * The documentation of an operation of the API, for owners: no page of the service is for them.
   * @param tag and operationId as the OpenAPI document has them
   */
  operation(tag: string, operationId: string): string {
    return this.to(`docs#/${tag}/${operationId}`);
  }

  /** Whether a secret is the one of the order's link, made with the current encryption key or the one before. */
  isSecretOf(orderId: string, secret: string): boolean {
    return this.keys.some((key) => equalInConstantTime(derivedSecret(key, orderId), secret));
  }

  /** As `to`, without the origin: for cookies, forms and redirections. */
  pathOf(path: string): string {
    return new URL(this.to(path)).pathname;
  }

  /** The absolute address of a path below the prefix of the API. */
  to(path: string): string {
    return `${this.url.base()}/${API_PREFIX}/${path}`;
  }
}
