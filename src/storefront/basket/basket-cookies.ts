import { type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { MAX_NICKNAME_LENGTH } from '../../domain/buyers/nickname-pattern.js';
import { cookieValues } from '../../http/requests/cookie-values.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { keysFor } from '../../lib/crypto/encryption-keys.js';
import { equalInConstantTime, keyedHash } from '../../lib/crypto/keyed-hash.js';
import { isObjectId } from '../../lib/ids/object-id.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { type Basket, EMPTY_BASKET, MAX_CODE_LENGTH, withQuantity } from './basket-rules.js';

const COOKIE_NAME = 'basket';
const LIFETIME_MS = 30 * DAY_MS;
const MAX_LENGTH = 3_072;
const ID_DIGITS = 24;
/** The quantity of a line, in hexadecimal digits. */
const QUANTITY_DIGITS = 4;
const SIGNATURE_DIGITS = 32;

/**
 * The cookie of a basket: packed, and signed for one shop, so that it can be neither changed nor taken to another one. One with a wrong
 * signature is an empty basket. Nothing is stored.
 */
@Injectable()
export class BasketCookies {
  private readonly keys: readonly [KeyObject, ...KeyObject[]];

  constructor(config: AppConfig) {
    const [{ key }, ...previous] = keysFor(config, 'storefront-baskets');
    this.keys = [key, ...previous.map((one) => one.key)];
  }

  read(shopId: string, cookieHeader: string | undefined): Basket {
    for (const value of cookieValues(cookieHeader, COOKIE_NAME)) {
      const basket = this.open(shopId, value);
      if (basket !== null) return basket;
    }
    return EMPTY_BASKET;
  }

  /** Keeps a basket for 30 days from now on. @param base what stands before the paths of the shop */
  write(request: Request, response: Response, shopId: string, basket: Basket, base: string): void {
    const content = pack(basket);
    response.cookie(COOKIE_NAME, `${content}.${this.sign(this.keys[0], shopId, content)}`, {
      ...{ path: `${base}/`, maxAge: LIFETIME_MS, httpOnly: true, sameSite: 'lax' },
      secure: request.secure,
    });
  }

  private open(shopId: string, value: string): Basket | null {
    if (value.length > MAX_LENGTH) return null;
    const end = value.lastIndexOf('.');
    const [content, signature] = [value.slice(0, Math.max(0, end)), value.slice(end + 1)];
    const isOurs = this.keys.some((key) => equalInConstantTime(this.sign(key, shopId, content), signature));
    return isOurs ? unpack(content) : null;
  }

  private sign(key: KeyObject, shopId: string, content: string): string {
    return keyedHash(key, `${shopId}\n${content}`).slice(0, SIGNATURE_DIGITS);
  }
}

function pack({ lines, serverId, nickname, code }: Basket): string {
  const digits = lines.map(
    ({ productId, quantity }) => productId + quantity.toString(16).padStart(QUANTITY_DIGITS, '0'),
  );
  const packed = Buffer.from(digits.join(''), 'hex').toString('base64url');
  return [packed, serverId ?? '', toBase64(nickname), toBase64(code)].join('.');
}

function unpack(content: string): Basket {
  const [packed = '', serverId = '', nickname = '', code = ''] = content.split('.');
  const digits = Buffer.from(packed, 'base64url').toString('hex');
  const width = ID_DIGITS + QUANTITY_DIGITS;
  let basket: Basket = {
    lines: [],
    serverId: isObjectId(serverId) ? serverId : null,
    nickname: fromBase64(nickname).slice(0, MAX_NICKNAME_LENGTH),
    code: fromBase64(code).slice(0, MAX_CODE_LENGTH),
  };
  for (let at = 0; at + width <= digits.length; at += width) {
    const quantity = Number.parseInt(digits.slice(at + ID_DIGITS, at + width), 16);
    basket = withQuantity(basket, digits.slice(at, at + ID_DIGITS), quantity);
  }
  return basket;
}

const toBase64 = (text: string): string => Buffer.from(text).toString('base64url');
const fromBase64 = (text: string): string => Buffer.from(text, 'base64url').toString();
