import { Injectable } from '@nestjs/common';
import { AuthService, type SecondFactorRequired, type SignedIn } from '../../access/auth/auth.service.js';
import { LoginDto } from '../../access/auth/dto/login.dto.js';
import { RegisterDto } from '../../access/auth/dto/register.dto.js';
import { SecondFactorLoginDto } from '../../access/auth/dto/second-factor-login.dto.js';
import { RegistrationService } from '../../access/auth/registration.service.js';
import { type ErrorCode } from '../../domain/errors/error-catalogue.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { PAGE_PATHS, PageLinks } from '../../http/addresses/page-links.js';
import { formatTime } from '../../lib/formats/formats.js';
import { type Language } from '../../lib/formats/languages.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { type Invitation } from '../../access/team/invitation.types.js';
import { InvitationRepliesService } from '../../access/team/invitation-replies.service.js';
import { MAX_USER_NAME_LENGTH } from '../../accounts/users/user.types.js';
import { INVITATION_PAGE_COPY, type InvitationPageCopy } from './invitation-page-copy.js';
import { type PageResponse, type Redirection, type ShownPage } from './page-response.js';
import { type FormFields, readForm, shownAgain } from './page-form.js';
import { problemOf } from './page-problem.js';
import { PageRenderer } from './page-renderer.js';
import { PageSessions } from './page-sessions.js';
import { type Visit } from './visit.js';

const PLACE = PAGE_PATHS.invitations;
const MAX_TOKEN_LENGTH = 128;

/** What can be done on the page; each is the end of a path. */
export const INVITATION_ACTIONS = { accept: 'accept', decline: 'decline', register: 'register' } as const;

/** An invitation as one reader sees it. */
interface InvitationView {
  readonly invitation: Invitation;
  readonly shop: Shop;
  readonly language: Language;
  readonly copy: InvitationPageCopy;
}

/** What the page shows besides the invitation. */
interface More {
  readonly status?: number;
  readonly problem?: string | undefined;
  /** The token of the second step of a login. */
  readonly challenge?: string;
  readonly name?: string;
}

/** The page of an invitation: log in or register, and accept or decline. All rules are those of the API. */
@Injectable()
export class InvitationPagesService {
  constructor(
    private readonly replies: InvitationRepliesService,
    private readonly shops: ShopsService,
    private readonly auth: AuthService,
    private readonly registration: RegistrationService,
    private readonly links: PageLinks,
    private readonly sessions: PageSessions,
    private readonly renderer: PageRenderer,
  ) {}

  /** Exchanges the token of a link for a cookie, as `OrderPagesService.open`. @throws AppError page_not_found */
  async open(token: string): Promise<Redirection> {
    const location = this.links.pathOf(PLACE);
    if (Object.values<string>(INVITATION_ACTIONS).includes(token)) return { location };
    orNotFound(await this.replies.find(token), 'page_not_found');
    return { location, opened: this.sessions.open(PLACE, token) };
  }

  /** @throws AppError page_not_found */
  async show(visit: Visit): Promise<ShownPage> {
    return this.render(visit, await this.load(visit), {});
  }

  /** Logs the person in, and accepts or declines. @throws AppError page_not_found */
  reply(visit: Visit, decision: 'accept' | 'decline', form: FormFields): Promise<PageResponse> {
    return this.attempt(visit, form, async (view) => {
      const login = await this.logIn(visit, view.invitation, form);
      if ('expiresAt' in login) return this.render(visit, view, { challenge: login.token });
      return this.end(visit, view, login, decision);
    });
  }

  /** Creates an account with the invited address, and accepts. @throws AppError page_not_found */
  register(visit: Visit, { name, password }: FormFields): Promise<PageResponse> {
    return this.attempt(visit, { name }, async (view) => {
      const fields = await readForm(RegisterDto, { email: view.invitation.email, name, password });
      const account = { ...fields, invitationToken: visit.secret };
      return this.end(visit, view, await this.registration.register(account, visit.device), 'accept');
    });
  }

  private async logIn(visit: Visit, { email }: Invitation, form: FormFields): Promise<SignedIn | SecondFactorRequired> {
    const { token, code, password } = form;
    if (token !== undefined) {
      const step = await readForm(SecondFactorLoginDto, { token, code });
      return this.auth.completeLogin(step.token, step.code, visit.device);
    }
    const fields = await readForm(LoginDto, { email, password });
    return this.auth.login(fields.email, fields.password, visit.device);
  }

  /** Replies for a person who is logged in. The page needs no session afterwards. */
  private async end(
    visit: Visit,
    { shop, language, copy }: InvitationView,
    { user, tokens }: SignedIn,
    decision: 'accept' | 'decline',
  ): Promise<ShownPage> {
    try {
      await this.replies[decision]({ userId: user.id, principal: `user:${user.id}` }, visit.secret);
    } finally {
      await this.auth.logout(tokens.refreshToken);
    }
    const [title, text] =
      decision === 'accept' ? [copy.accepted(shop.displayName), copy.acceptedText] : [copy.declined, copy.declinedText];
    const page = this.renderer.render('message', 200, { language, shop, title }, { text, help: '' });
    return { ...page, ended: this.sessions.cookieOf(PLACE) };
  }

  private async load(visit: Visit): Promise<InvitationView> {
    const invitation = orNotFound(await this.replies.find(visit.secret), 'page_not_found');
    const shop = await this.shops.settingsOf(invitation.shopId);
    const language = visit.languageIn(shop.language);
    return { invitation, shop, language, copy: INVITATION_PAGE_COPY[language] };
  }

  /** Handles a form. An error that the person can correct is shown on the page. */
  private async attempt(
    visit: Visit,
    { name, token }: FormFields,
    act: (view: InvitationView) => Promise<PageResponse>,
  ): Promise<PageResponse> {
    const view = await this.load(visit);
    try {
      return await act(view);
    } catch (error) {
      const rejection = problemOf(error, (one) => invitationProblem(one, view.copy));
      const { code, problem, status } = rejection;
      const isInSecondStep = code === 'second_factor_code_invalid';
      const page = this.render(visit, view, {
        problem,
        status,
        name: shownAgain(name, MAX_USER_NAME_LENGTH),
        ...(isInSecondStep ? { challenge: shownAgain(token, MAX_TOKEN_LENGTH) } : {}),
      });
      return { ...page, error: rejection };
    }
  }

  private render(visit: Visit, { invitation, shop, language, copy }: InvitationView, more: More): ShownPage {
    const { status = 200, problem, challenge = '', name = '' } = more;
    const action = (end: string): string => this.links.pathOf(`${PLACE}/${end}`);
    const frame = { language, shop, title: copy.title(shop.displayName), problem };
    return this.renderer.render('invitation', status, frame, {
      copy,
      offer: copy.offer(shop.displayName),
      email: invitation.email,
      role: copy[invitation.role],
      until: formatTime(invitation.expiresAt, shop.timezone, language),
      formToken: visit.formToken,
      challenge,
      name,
      maxNameLength: MAX_USER_NAME_LENGTH,
      accept: action(INVITATION_ACTIONS.accept),
      decline: action(INVITATION_ACTIONS.decline),
      register: action(INVITATION_ACTIONS.register),
    });
  }
}

/** What the page says about an error; undefined for an error that is not about what the person did. */
function invitationProblem(code: ErrorCode, copy: InvitationPageCopy): string | undefined {
  const problems: Partial<Record<ErrorCode, string>> = {
    credentials_wrong: copy.problemLogin,
    rate_limited: copy.problemAttempts,
    second_factor_code_invalid: copy.problemCode,
    second_factor_token_invalid: copy.problemStep,
    email_taken: copy.problemTaken,
    registration_closed: copy.problemClosed,
    validation_failed: copy.problemForm,
    already_member: copy.problemMember,
    invitation_invalid: copy.problemInvitation,
    quota_reached: copy.problemQuota,
  };
  return problems[code];
}
