import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { type AuthContext } from '../common/auth/auth-context.js';
import { AppConfig } from '../config/app-config.js';
import {
  CLOCK_TOLERANCE_SECONDS,
  isAccessClaims,
  signingKeyOf,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
} from './access-tokens.js';
import { SessionsRepository } from './sessions.repository.js';

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
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      // passport-jwt passes it on to the JWT library, which takes a key object, too.
      secretOrKey: signingKeyOf(config) as unknown as Buffer,
      algorithms: ['HS256'],
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
      jsonWebTokenOptions: { clockTolerance: CLOCK_TOLERANCE_SECONDS },
    });
  }

  /** One indexed read, so that the access tokens of a session stop working as soon as it ends. */
  async validate(payload: unknown): Promise<AuthContext | false> {
    if (!isAccessClaims(payload)) return false;
    const session = await this.sessions.findLive(payload.sid, new Date());
    if (session?.userId !== payload.sub) return false;
    return { principal: `user:${payload.sub}`, kind: 'user', userId: payload.sub, credentialId: payload.sid };
  }
}
