import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { type Request } from 'express';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import {
  CLOCK_TOLERANCE_SECONDS,
  isSessionClaims,
  signingKeyOf,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
} from './access-tokens.js';
import { consoleCookieOf, isByCookie } from './console-cookie.js';
import { SessionsRepository } from './sessions.repository.js';

/** More than three times the length of a header with one of our tokens. */
const MAX_HEADER_LENGTH = 1_024;

const bearerToken = ExtractJwt.fromAuthHeaderAsBearerToken();

/**
 * The token of a request: the bearer token, or that of the console's cookie. The library's expression for the header takes quadratic time, 125 ms for 16 KB:
 * https://github.com/mikenicholson/passport-jwt/blob/v4.0.1/lib/auth_header.js
 */
function tokenOf(request: Request): string | null {
  if (isByCookie(request)) return consoleCookieOf(request);
  const { authorization = '' } = request.headers;
  return authorization.length > MAX_HEADER_LENGTH ? null : bearerToken(request);
}

/**
 * Checks bearer tokens, and those in the console's cookie. `algorithms`, `issuer` and `audience` must be at the top level: passport-jwt ignores them in
 * `jsonWebTokenOptions`.
 */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(
    private readonly sessions: SessionsRepository,
    config: AppConfig,
  ) {
    super({
      jwtFromRequest: tokenOf,
      // passport-jwt passes it on to the JWT library, which takes a key object, too.
      secretOrKey: signingKeyOf(config) as unknown as Buffer,
      algorithms: ['HS256'],
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
      passReqToCallback: true,
      jsonWebTokenOptions: { clockTolerance: CLOCK_TOLERANCE_SECONDS },
    });
  }

  /**
   * jsonwebtoken throws for a signed payload of `null`, and passport-jwt does not catch it. Such a token is not valid. Errors of
   * `validate` do not come here: passport-jwt passes them on.
   */
  override authenticate(request: Request, options?: object): void {
    try {
      super.authenticate(request, options);
    } catch {
      this.fail(401);
    }
  }

  /** Reads the session, so that its tokens stop working as soon as it ends. */
  async validate(request: Request, payload: unknown): Promise<AuthContext | false> {
    if (!isSessionClaims(payload, isByCookie(request) ? 'cookie' : 'access')) return false;
    const { sub: userId, sid: credentialId } = payload;
    const session = await this.sessions.findLive(credentialId, new Date(), null);
    return session?.userId === userId && { principal: `user:${userId}`, kind: 'user', userId, credentialId };
  }
}
