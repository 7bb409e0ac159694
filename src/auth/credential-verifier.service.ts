import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import passport from 'passport';
import { KeyVerifierService } from '../api-keys/key-verifier.service.js';
import { type AuthContext, type KeyPrincipal } from '../common/auth/auth-context.js';

const MAX_TOKEN_LENGTH = 4_096;

/** Turns the two kinds of credentials into principals. A database that is down is an error here, not "no valid credential". */
@Injectable()
export class CredentialVerifierService {
  constructor(private readonly apiKeys: KeyVerifierService) {}

  /**
   * The principal of an API key; null when the key is not valid.
   * @param address where the request comes from, after trusted proxies
   * @throws AppError address_not_allowed for a valid key from an address that it does not allow
   */
  verifyApiKey(key: string, address: string | undefined): Promise<KeyPrincipal | null> {
    return this.apiKeys.verify(key, address);
  }

  /** The principal of a request's bearer token; null when the token is not valid. */
  verifyBearer(request: Request): Promise<AuthContext | null> {
    if ((request.headers.authorization?.length ?? 0) > MAX_TOKEN_LENGTH) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      const done = (error: Error | null, principal?: AuthContext | false): void => {
        if (error) reject(error);
        else resolve(principal || null);
      };
      const authenticate = passport.authenticate('jwt', { session: false }, done) as (
        request: Request,
        response: unknown,
        next: (error: unknown) => void,
      ) => void;
      try {
        authenticate(request, request.res, reject);
      } catch {
        // The library throws when the signed payload is `null`. An error of the session read comes later, through `done`.
        resolve(null);
      }
    });
  }
}
