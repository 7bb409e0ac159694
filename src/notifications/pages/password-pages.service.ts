import { Injectable } from '@nestjs/common';
import { ResetPasswordDto } from '../../access/auth/dto/password.dto.js';
import { AuthService } from '../../access/auth/auth.service.js';
import { type FoundReset, PasswordResetsService } from '../../access/auth/password-resets.service.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type ErrorCode } from '../../domain/errors/error-catalogue.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { PAGE_PATHS, PageLinks } from '../../http/addresses/page-links.js';
import { type PageResponse, type Redirection, type ShownPage } from './page-response.js';
import { type FormFields, readForm } from './page-form.js';
import { problemOf } from './page-problem.js';
import { PageRenderer } from './page-renderer.js';
import { PageSessions } from './page-sessions.js';
import { PASSWORD_PAGE_COPY } from './password-page-copy.js';
import { type Visit } from './visit.js';

const PLACE = PAGE_PATHS.passwordResets;
/** A link that was used or has expired since the page was shown. */
const USED: FoundReset = { email: '', isFirst: false };

/** The page that sets a new password with the token from an email. */
@Injectable()
export class PasswordPagesService {
  constructor(
    private readonly resets: PasswordResetsService,
    private readonly auth: AuthService,
    private readonly links: PageLinks,
    private readonly sessions: PageSessions,
    private readonly renderer: PageRenderer,
  ) {}

  /** Exchanges the token of a link for a cookie. @throws AppError page_not_found */
  async open(token: string): Promise<Redirection> {
    await this.require(token);
    return { location: this.links.pathOf(PLACE), opened: this.sessions.open(PLACE, token) };
  }

  /** @throws AppError page_not_found */
  async show(visit: Visit): Promise<ShownPage> {
    return this.render(visit, await this.require(visit.secret), 200, undefined, false);
  }

  /** Sets the password. @throws AppError page_not_found */
  async reset(visit: Visit, { newPassword, revokeApiKeys: ticked }: FormFields): Promise<PageResponse> {
    const revokeApiKeys = ticked === 'yes';
    const language = visit.languageIn(null);
    const copy = PASSWORD_PAGE_COPY[language];
    const problems = new Map<ErrorCode, string>([
      ['validation_failed', copy.problemForm],
      ['reset_token_invalid', copy.problemToken],
    ]);
    try {
      const fields = { token: visit.secret, newPassword, revokeApiKeys };
      const body = await readForm(ResetPasswordDto, fields);
      await this.resets.reset(body.token, body.newPassword, body.revokeApiKeys ?? false);
    } catch (error) {
      if (await this.isRepetition(visit, newPassword, revokeApiKeys, error)) return this.done(visit);
      const rejection = problemOf(error, (code) => problems.get(code));
      const reset = (await this.resets.find(visit.secret)) ?? USED;
      return { ...this.render(visit, reset, rejection.status, rejection.problem, revokeApiKeys), error: rejection };
    }
    return this.done(visit);
  }

  /** Whether the same password was set with the link in the last minute: the person clicked twice. @throws AppError rate_limited */
  private async isRepetition(
    { secret, device }: Visit,
    newPassword: unknown,
    revokeApiKeys: boolean,
    error: unknown,
  ): Promise<boolean> {
    if (!(error instanceof AppError) || error.code !== 'reset_token_invalid') return false;
    const userId = await this.resets.lastUse(secret, revokeApiKeys);
    return userId !== null && typeof newPassword === 'string' && this.auth.confirms(userId, newPassword, device);
  }

  private done(visit: Visit): ShownPage {
    const language = visit.languageIn(null);
    const copy = PASSWORD_PAGE_COPY[language];
    const page = this.renderer.message({ language, shop: null, title: copy.done }, copy.doneText);
    return { ...page, ended: this.sessions.cookieOf(PLACE) };
  }

  private async require(token: string): Promise<FoundReset> {
    return orNotFound(await this.resets.find(token), 'page_not_found');
  }

  /** @param revokeApiKeys whether the box is ticked */
  private render(
    visit: Visit,
    { isFirst, email }: FoundReset,
    status: number,
    problem: string | undefined,
    revokeApiKeys: boolean,
  ): ShownPage {
    const language = visit.languageIn(null);
    const copy = PASSWORD_PAGE_COPY[language];
    const action = this.links.pathOf(PLACE);
    const hint = isFirst ? copy.welcomeHint(new URL(this.links.to(PLACE)).host) : copy.hint;
    const values = { copy, formToken: visit.formToken, action, revokeApiKeys, isFirst, email, hint };
    const title = isFirst ? copy.welcome : copy.title;
    return this.renderer.render('password-reset', status, { language, shop: null, title, problem }, values);
  }
}
