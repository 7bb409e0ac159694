import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { type Request } from 'express';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { namedShop } from '../common/http/path-parameters.js';
import { AppConfig } from '../config/app-config.js';
import { type Caller } from '../memberships/member.types.js';
import {
  CLOCK_TOLERANCE_SECONDS,
  isAccessClaims,
  signingKeyOf,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
} from './access-tokens.js';
import { SessionsRepository } from './sessions.repository.js';

/** More than three times the length of a header with one of our tokens. */
const MAX_HEADER_LENGTH = 1_024;

const bearerToken = ExtractJwt.fromAuthHeaderAsBearerToken();

/**
 * The token of a request. The library's expression for the header takes quadratic time, 125 ms for 16 KB:
 * https://github.com/mikenicholson/passport-jwt/blob/v4.0.1/lib/auth_header.js
 */
function tokenOf(request: Request): string | null {
  const { authorization = '' } = request.headers;
  return authorization.length > MAX_HEADER_LENGTH ? null : bearerToken(request);
}

/**
 * Checks bearer tokens. `algorithms`, `issuer` and `audience` must be at the top level: passport-jwt ignores them in
 * `jsonWebTokenOptions`.
 */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(
    private readonly sessions: SessionsRepository,
    config: AppConfig,
  ) {
    super({
      passReqToCallback: true,
      jwtFromRequest: tokenOf,
      // passport-jwt passes it on to the JWT library, which takes a key object, too.
      secretOrKey: signingKeyOf(config) as unknown as Buffer,
      algorithms: ['HS256'],
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
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

  /**
   * One read of the session, so that its access tokens stop working as soon as it ends, and of the membership in the shop of the
   * path.
   */
  async validate(request: Request, payload: unknown): Promise<Caller | false> {
    if (!isAccessClaims(payload)) return false;
    const { sub: userId, sid: credentialId } = payload;
    const found = await this.sessions.findLiveWithMember(credentialId, new Date(), namedShop(request));
    if (found?.session.userId !== userId) return false;
    return { auth: { principal: `user:${userId}`, kind: 'user', userId, credentialId }, member: found.member };
  }
}
