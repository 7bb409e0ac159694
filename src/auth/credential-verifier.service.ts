import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import passport from 'passport';
import { KeyVerifierService } from '../api-keys/key-verifier.service.js';
import { type KeyPrincipal } from '../common/auth/auth-context.js';
import { namedShop } from '../common/http/path-parameters.js';
import { type Caller } from '../memberships/member.types.js';

const MAX_TOKEN_LENGTH = 4_096;

/** Turns the two kinds of credentials into callers. A database that is down is an error here, not "no valid credential". */
@Injectable()
export class CredentialVerifierService {
  constructor(private readonly apiKeys: KeyVerifierService) {}

  /**
   * The caller with an API key; null when the key is not valid.
   * @param request must have the address after trusted proxies
   * @throws AppError address_not_allowed for a valid key from an address that it does not allow
   */
  verifyApiKey(key: string, request: Request): Promise<Caller<KeyPrincipal> | null> {
    return this.apiKeys.verify(key, request.ip, namedShop(request));
  }

  /** The caller with the request's bearer token; null when the token is not valid. */
  verifyBearer(request: Request): Promise<Caller | null> {
    if ((request.headers.authorization?.length ?? 0) > MAX_TOKEN_LENGTH) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      const done = (error: Error | null, caller?: Caller | false): void => {
        if (error) reject(error);
        else resolve(caller || null);
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
