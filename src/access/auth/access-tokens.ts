import { createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { isObjectId } from '../../lib/ids/object-id.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { type Session } from './session.types.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';

export const TOKEN_ISSUER = 'shop-platform';
export const TOKEN_AUDIENCE = 'shop-platform-api';
export const ACCESS_TOKEN_SECONDS = 15 * 60;
export const CLOCK_TOLERANCE_SECONDS = 5;

/**
 * The key of the signatures. The JWT library would first attempt to read a string as a public or a private key, at each token: that takes
 * half a millisecond.
 */
export const signingKeyOf = ({ jwtSecret }: AppConfig): KeyObject => createSecretKey(Buffer.from(jwtSecret));

/** What a token is for: `access` in the header `Authorization`, `cookie` in the cookie of the console. Neither works as the other. */
export type TokenUse = 'access' | 'cookie';

/** The content of a token that names a session. */
export interface SessionClaims {
  /** The person. */
  readonly sub: string;
  /** The session. */
  readonly sid: string;
  readonly typ: TokenUse;
  readonly iat: number;
  readonly exp: number;
}

/** Signs the tokens that name a session (JWT, HS256). */
@Injectable()
export class AccessTokens {
  constructor(private readonly jwt: JwtService) {}

  issue(userId: string, sessionId: string, lifetimeSeconds = ACCESS_TOKEN_SECONDS): Promise<string> {
    return this.sign('access', userId, sessionId, lifetimeSeconds);
  }

  /** The value of the cookie for a whole session. */
  issueCookie({ id, userId, expiresAt }: Session): Promise<string> {
    return this.sign('cookie', userId, id, Math.ceil((expiresAt.getTime() - Date.now()) / SECOND_MS));
  }

  private sign(typ: TokenUse, userId: string, sessionId: string, lifetimeSeconds: number): Promise<string> {
    return this.jwt.signAsync(
      { sid: sessionId, typ },
      { subject: userId, expiresIn: lifetimeSeconds, issuer: TOKEN_ISSUER, audience: TOKEN_AUDIENCE },
    );
  }
}

/**
 * Checks what the JWT library does not check: it accepts tokens without an expiry, without a subject and of any type.
 * @param payload of a token whose signature, algorithm, issuer and audience are already checked
 */
export function isSessionClaims(payload: unknown, use: TokenUse): payload is SessionClaims {
  if (typeof payload !== 'object' || payload === null) return false;
  const { sub, sid, typ, iat, exp } = payload as Record<string, unknown>;
  return typ === use && typeof iat === 'number' && typeof exp === 'number' && isObjectId(sub) && isObjectId(sid);
}
