import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import passport from 'passport';
import { KeyVerifierService } from '../api-keys/key-verifier.service.js';
import { type AuthContext, type KeyPrincipal } from '../common/auth/auth-context.js';
import { CredentialVerifier } from '../common/auth/auth.ports.js';

const MAX_TOKEN_LENGTH = 4_096;

/** Binds the two kinds of credentials to the guard. A database that is down is an error here, not "no valid credential". */
@Injectable()
export class CredentialVerifierService implements CredentialVerifier {
  constructor(private readonly apiKeys: KeyVerifierService) {}

  verifyApiKey(key: string, address: string | undefined): Promise<KeyPrincipal | null> {
    return this.apiKeys.verify(key, address);
  }

  verifyBearer(request: Request): Promise<AuthContext | null> {
    if ((request.headers.authorization?.length ?? 0) > MAX_TOKEN_LENGTH) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      const done = (error: Error | null, principal?: AuthContext | false): void => {
        if (error) reject(error);
        else resolve(principal === undefined || principal === false ? null : principal);
      };
      const authenticate = passport.authenticate('jwt', { session: false }, done) as (
        request: Request,
        response: unknown,
        next: (error: unknown) => void,
      ) => void;
      try {
        authenticate(request, request.res, reject);
      } catch {
        // The library throws at a signed payload of `null`. Reading the session comes later and fails through `done`.
        resolve(null);
      }
    });
  }
}
