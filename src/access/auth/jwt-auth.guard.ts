import { type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { type AuthContext } from '../../domain/principal/auth-context.js';

/** Authenticates bearer tokens with `JwtStrategy`. `AccessGuard` calls it for the routes that accept tokens. */
@Injectable()
export class JwtAuthGuard extends AuthGuard('jwt') {
  /**
   * The caller with the bearer token of a request; null when the token is not valid. A session that cannot be read is an error, not
   * an invalid token.
   */
  async callerOf(context: ExecutionContext): Promise<AuthContext | null> {
    try {
      await this.canActivate(context);
    } catch (error) {
      if (error instanceof UnauthorizedException) return null;
      throw error;
    }
    return context.switchToHttp().getRequest<{ readonly user: AuthContext }>().user;
  }
}
