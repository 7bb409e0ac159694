import { Injectable } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { type ErrorCode } from '../../domain/errors/error-catalogue.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { InvitationRepliesService } from '../team/invitation-replies.service.js';
import { type TokenUse } from '../used-tokens/used-token.types.js';
import { UsedTokensService } from '../used-tokens/used-tokens.service.js';
import { AuthService, type SecondFactorRequired } from './auth.service.js';
import { type ClientDevice } from './device.js';
import { type NewAccount, RegistrationService } from './registration.service.js';

/** What an invited person does. `register`: create an account, and accept. */
export type InvitationAct = 'accept' | 'decline' | 'register';

/** What the person sent besides the token of the invitation, as it was sent. */
export interface SentReply {
  readonly act: InvitationAct;
  /** Nobody else could send the content: it has the token of the second step of a login. */
  readonly isProof: boolean;
  readonly password: string;
  /** All other fields. */
  readonly content: readonly string[];
}

/** What an error means when somebody else, or a second click, was faster. */
const OVERTAKEN: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'invitation_invalid',
  'email_taken',
  'registration_closed',
  'second_factor_token_invalid',
  'second_factor_code_invalid',
]);

/**
 * Replies to invitations for people who prove in the same request who they are. Nobody is signed in: the proof and the reply are one
 * transaction, which opens no session.
 */
@Injectable()
export class InvitedPeopleService {
  constructor(
    private readonly auth: AuthService,
    private readonly registration: RegistrationService,
    private readonly replies: InvitationRepliesService,
    private readonly used: UsedTokensService,
  ) {}

  /**
   * Accepts or declines with the password.
   * @returns what the second step needs; null: the person has replied
   * @throws AppError as `AuthService.login` and `InvitationRepliesService`
   */
  async logIn(
    token: string,
    sent: SentReply,
    email: string,
    device: ClientDevice,
  ): Promise<SecondFactorRequired | null> {
    const login = await this.auth.loginFor(email, sent.password, device, this.replyOf(token, sent));
    return 'expiresAt' in login ? login : null;
  }

  /** The second step: accepts or declines. @throws AppError as `AuthService.completeLogin` and `InvitationRepliesService` */
  async completeLogin(
    token: string,
    sent: SentReply,
    step: { readonly token: string; readonly code: string },
    device: ClientDevice,
  ): Promise<void> {
    await this.auth.completeLoginFor(step.token, step.code, device, this.replyOf(token, sent));
  }

  /** Creates an account, and accepts. @throws AppError as `RegistrationService.register` and `InvitationRepliesService` */
  async register(
    sent: SentReply,
    account: NewAccount & { invitationToken: string },
    device: ClientDevice,
  ): Promise<void> {
    await this.registration.registerFor(account, device, this.replyOf(account.invitationToken, sent));
  }

  /**
   * Whether a person has sent the same reply in the last minute with success: they clicked twice.
   * @param failure why this one failed; null: the invitation has ended
   * @returns the shop of the invitation; null: this is no repetition
   * @throws AppError rate_limited: the password counts as one of a login
   */
  async shopOfRepetition(
    token: string,
    sent: SentReply,
    failure: AppError | null,
    device: ClientDevice,
  ): Promise<string | null> {
    if (failure !== null && !OVERTAKEN.has(failure.code)) return null;
    const use = await this.used.find(token, contentOf(sent));
    if (use === null) return null;
    // A login with the right password comes before this error.
    const hasLoggedIn = failure?.code === 'invitation_invalid' && sent.act !== 'register';
    const isPerson = sent.isProof || hasLoggedIn || (await this.auth.confirms(use.userId, sent.password, device));
    return isPerson ? use.shopId : null;
  }

  private replyOf(token: string, sent: SentReply): (userId: string, transaction: Transaction) => Promise<void> {
    return async (userId, transaction) => {
      const person = { userId, principal: `user:${userId}` } as const;
      const decision = sent.act === 'decline' ? 'declineIn' : 'acceptIn';
      const { shopId } = await this.replies[decision](person, token, transaction);
      const use: TokenUse = { userId, shopId };
      await this.used.keep(token, contentOf(sent), use, transaction);
    };
  }
}

function contentOf({ act, content }: SentReply): readonly string[] {
  return [act, ...content];
}
