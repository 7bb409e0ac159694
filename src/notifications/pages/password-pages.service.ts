import { Injectable } from '@nestjs/common';
import { ResetPasswordDto } from '../../access/auth/dto/password.dto.js';
import { PasswordService } from '../../access/auth/password.service.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type ErrorCode } from '../../domain/errors/error-catalogue.js';
import { PAGE_PATHS, PageLinks } from '../../http/addresses/page-links.js';
import { type PageResponse, type Redirection, type ShownPage } from './page-response.js';
import { type FormFields, readForm } from './page-form.js';
import { problemOf } from './page-problem.js';
import { PageRenderer } from './page-renderer.js';
import { PageSessions } from './page-sessions.js';
import { PASSWORD_PAGE_COPY } from './password-page-copy.js';
import { type Visit } from './visit.js';

const PLACE = PAGE_PATHS.passwordResets;

/** The page that sets a new password with the token from an email. */
@Injectable()
export class PasswordPagesService {
  constructor(
    private readonly passwords: PasswordService,
    private readonly links: PageLinks,
    private readonly sessions: PageSessions,
    private readonly renderer: PageRenderer,
  ) {}

  /** Exchanges the token of a link for a cookie. @throws AppError page_not_found */
  async open(token: string): Promise<Redirection> {
    await this.requireLive(token);
    return { location: this.links.pathOf(PLACE), opened: this.sessions.open(PLACE, token) };
  }

  /** @throws AppError page_not_found */
  async show(visit: Visit): Promise<ShownPage> {
    await this.requireLive(visit.secret);
    return this.render(visit, 200, undefined, false);
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
      await this.passwords.reset(body.token, body.newPassword, body.revokeApiKeys ?? false);
    } catch (error) {
      const rejection = problemOf(error, (code) => problems.get(code));
      return { ...this.render(visit, rejection.status, rejection.problem, revokeApiKeys), error: rejection };
    }
    const frame = { language, shop: null, title: copy.done };
    const page = this.renderer.render('message', 200, frame, { text: copy.doneText, help: '' });
    return { ...page, ended: this.sessions.cookieOf(PLACE) };
  }

  private async requireLive(token: string): Promise<void> {
    if (!(await this.passwords.isResetToken(token))) throw new AppError('page_not_found');
  }

  /** @param revokeApiKeys whether the box is ticked */
  private render(visit: Visit, status: number, problem: string | undefined, revokeApiKeys: boolean): ShownPage {
    const language = visit.languageIn(null);
    const copy = PASSWORD_PAGE_COPY[language];
    const values = { copy, formToken: visit.formToken, action: this.links.pathOf(PLACE), revokeApiKeys };
    return this.renderer.render('password-reset', status, { language, shop: null, title: copy.title, problem }, values);
  }
}
