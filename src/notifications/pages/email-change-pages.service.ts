import { Injectable } from '@nestjs/common';
import { EmailConfirmationsService } from '../../access/auth/email-confirmations.service.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type ErrorCode } from '../../domain/errors/error-catalogue.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { PAGE_PATHS, PageLinks } from '../../http/addresses/page-links.js';
import { type Language } from '../../lib/formats/languages.js';
import { EMAIL_CHANGE_PAGE_COPY } from './email-change-page-copy.js';
import { problemOf } from './page-problem.js';
import { PageRenderer } from './page-renderer.js';
import { type PageResponse, type Redirection, type ShownPage } from './page-response.js';
import { PageSessions } from './page-sessions.js';
import { type Visit } from './visit.js';

const PLACE = PAGE_PATHS.emailChanges;

/** The page that confirms a new email address with the token from an email. */
@Injectable()
export class EmailChangePagesService {
  constructor(
    private readonly confirmations: EmailConfirmationsService,
    private readonly links: PageLinks,
    private readonly sessions: PageSessions,
    private readonly renderer: PageRenderer,
  ) {}

  /** Exchanges the token of a link for a cookie. @throws AppError page_not_found */
  async open(token: string): Promise<Redirection> {
    await this.requireAddress(token);
    return { location: this.links.pathOf(PLACE), opened: this.sessions.open(PLACE, token) };
  }

  /** Confirms nothing: programs that check emails open their links. @throws AppError page_not_found */
  async show(visit: Visit): Promise<ShownPage> {
    return this.render(visit, 200, await this.requireAddress(visit.secret), undefined);
  }

  /** Confirms once; the second of two clicks gets the same page. @throws AppError page_not_found */
  async confirm(visit: Visit): Promise<PageResponse> {
    const language = visit.languageIn(null);
    const copy = EMAIL_CHANGE_PAGE_COPY[language];
    const problems = new Map<ErrorCode, string>([
      ['email_taken', copy.problemTaken],
      ['email_token_invalid', copy.problemToken],
    ]);
    const address = await this.confirmations.addressOf(visit.secret);
    if (address === null && (await this.confirmations.isConfirmed(visit.secret))) return this.done(language);
    const shown = orNotFound(address, 'page_not_found');
    try {
      await this.confirmations.confirm(visit.secret);
    } catch (error) {
      if (await this.isOvertaken(error, visit)) return this.done(language);
      const rejection = problemOf(error, (code) => problems.get(code));
      return { ...this.render(visit, rejection.status, shown, rejection.problem), error: rejection };
    }
    return this.done(language);
  }

  /** Whether another click was faster. */
  private async isOvertaken(error: unknown, { secret }: Visit): Promise<boolean> {
    const isUsed = error instanceof AppError && error.code === 'email_token_invalid';
    return isUsed && this.confirmations.isConfirmed(secret);
  }

  private done(language: Language): ShownPage {
    const copy = EMAIL_CHANGE_PAGE_COPY[language];
    const page = this.renderer.message({ language, shop: null, title: copy.done }, copy.doneText);
    return { ...page, ended: this.sessions.cookieOf(PLACE) };
  }

  private async requireAddress(token: string): Promise<string> {
    return orNotFound(await this.confirmations.addressOf(token), 'page_not_found');
  }

  private render(visit: Visit, status: number, address: string, problem: string | undefined): ShownPage {
    const language = visit.languageIn(null);
    const copy = EMAIL_CHANGE_PAGE_COPY[language];
    const values = { copy, formToken: visit.formToken, action: this.links.pathOf(PLACE), address };
    return this.renderer.render('email-change', status, { language, shop: null, title: copy.title, problem }, values);
  }
}
