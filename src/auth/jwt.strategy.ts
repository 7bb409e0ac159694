import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { type AuthContext } from '../common/auth/auth-context.js';
import { AppConfig } from '../config/app-config.js';
import { CLOCK_TOLERANCE_SECONDS, isAccessClaims, TOKEN_AUDIENCE, TOKEN_ISSUER } from './access-tokens.js';
import { SessionsRepository } from './sessions.repository.js';

/**
 * Bearer tokens. `algorithms`, `issuer` and `audience` stand at the top level: passport-jwt overwrites them with nothing
 * when they stand in `jsonWebTokenOptions`.
 */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(
    private readonly sessions: SessionsRepository,
    config: AppConfig,
  ) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKey: config.jwtSecret,
      algorithms: ['HS256'],
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
      jsonWebTokenOptions: { clockTolerance: CLOCK_TOLERANCE_SECONDS },
    });
  }

  /** One indexed read: a session that ended takes its access tokens with it, at once. */
  async validate(payload: unknown): Promise<AuthContext | false> {
    if (!isAccessClaims(payload)) return false;
    const session = await this.sessions.findLive(payload.sid, new Date());
    if (session?.userId !== payload.sub) return false;
    return { principal: `user:${payload.sub}`, kind: 'user', userId: payload.sub, credentialId: payload.sid };
  }
}
