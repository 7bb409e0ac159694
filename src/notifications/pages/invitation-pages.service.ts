import { Injectable } from '@nestjs/common';
import { type SecondFactorRequired } from '../../access/auth/auth.service.js';
import { LoginDto } from '../../access/auth/dto/login.dto.js';
import { RegisterDto } from '../../access/auth/dto/register.dto.js';
import { SecondFactorLoginDto } from '../../access/auth/dto/second-factor-login.dto.js';
import { type InvitationAct, InvitedPeopleService, type SentReply } from '../../access/auth/invited-people.service.js';
import { AppError } from '../../domain/errors/app-error.js';
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
    private readonly people: InvitedPeopleService,
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

  /** Accepts or declines for a person who proves who they are. @throws AppError page_not_found */
  reply(visit: Visit, decision: 'accept' | 'decline', form: FormFields): Promise<PageResponse> {
    const sent = sentReply(decision, form);
    return this.attempt(visit, sent, form, async ({ email }) => {
      if (sent.isProof) {
        const step = await readForm(SecondFactorLoginDto, { token: form['token'], code: form['code'] });
        await this.people.completeLogin(visit.secret, sent, step, visit.device);
        return null;
      }
      await readForm(LoginDto, { email, password: form['password'] });
      return this.people.logIn(visit.secret, sent, email, visit.device);
    });
  }

  /** Creates an account with the invited address, and accepts. @throws AppError page_not_found */
  register(visit: Visit, { name, password }: FormFields): Promise<PageResponse> {
    const sent = sentReply('register', { name, password });
    return this.attempt(visit, sent, { name }, async ({ email }) => {
      const account = await readForm(RegisterDto, { email, name, password });
      await this.people.register(sent, { ...account, invitationToken: visit.secret }, visit.device);
      return null;
    });
  }

  private async load(visit: Visit): Promise<InvitationView> {
    return this.viewOf(visit, orNotFound(await this.replies.find(visit.secret), 'page_not_found'));
  }

  private async viewOf(visit: Visit, invitation: Invitation): Promise<InvitationView> {
    const shop = await this.shops.settingsOf(invitation.shopId);
    const language = visit.languageIn(shop.language);
    return { invitation, shop, language, copy: INVITATION_PAGE_COPY[language] };
  }

  /**
   * Handles a form. A second click gets the page of the first one, and an error that the person can correct is shown on the page.
   * @param act returns what the second step of a login needs; null: the person has replied
   */
  private async attempt(
    visit: Visit,
    sent: SentReply,
    { name, token }: FormFields,
    act: (invitation: Invitation) => Promise<SecondFactorRequired | null>,
  ): Promise<PageResponse> {
    const invitation = await this.replies.find(visit.secret);
    if (invitation === null) return orNotFound(await this.repeated(visit, sent, null), 'page_not_found');
    const view = await this.viewOf(visit, invitation);
    try {
      const step = await act(invitation);
      return step === null
        ? this.done(visit, view.shop, sent.act)
        : this.render(visit, view, { challenge: step.token });
    } catch (error) {
      const again = error instanceof AppError ? await this.repeated(visit, sent, error) : null;
      if (again !== null) return again;
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

  /** The page of the first of two clicks; null when this one is none. @param failure null: the invitation has ended */
  private async repeated(visit: Visit, sent: SentReply, failure: AppError | null): Promise<ShownPage | null> {
    const shopId = await this.people.shopOfRepetition(visit.secret, sent, failure, visit.device);
    return shopId === null ? null : this.done(visit, await this.shops.settingsOf(shopId), sent.act);
  }

  /** The page needs no session afterwards. */
  private done(visit: Visit, shop: Shop, act: InvitationAct): ShownPage {
    const language = visit.languageIn(shop.language);
    const copy = INVITATION_PAGE_COPY[language];
    const [title, text] =
      act === 'decline' ? [copy.declined, copy.declinedText] : [copy.accepted(shop.displayName), copy.acceptedText];
    const page = this.renderer.message({ language, shop, title }, text);
    return { ...page, ended: this.sessions.cookieOf(PLACE) };
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

/** What a form says. A token is that of the second step of a login: nobody else has it. */
function sentReply(act: InvitationAct, { name, password, token, code }: FormFields): SentReply {
  const content = [name, token, code].map((field) => (typeof field === 'string' ? field : ''));
  return {
    act,
    isProof: typeof token === 'string' && token !== '',
    password: typeof password === 'string' ? password : '',
    content,
  };
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
