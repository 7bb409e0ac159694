import { Injectable } from '@nestjs/common';
import { type CookieOptions, type Response } from 'express';
import { PageLinks } from '../../http/addresses/page-links.js';
import { AccessTokens } from './access-tokens.js';
import { CONSOLE_COOKIE } from './console-cookie.js';
import { type Session } from './session.types.js';

/** Sets the cookie that stands for a session in the console, so that no script of a page can read it. */
@Injectable()
export class ConsoleCookiesService {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly links: PageLinks,
  ) {}

  async set(response: Response, session: Session): Promise<void> {
    const value = await this.tokens.issueCookie(session);
    response.cookie(CONSOLE_COOKIE, value, { ...this.options(), expires: session.expiresAt });
  }

  clear(response: Response): void {
    response.clearCookie(CONSOLE_COOKIE, this.options());
  }

  private options(): CookieOptions {
    const root = this.links.to('');
    const path = new URL(root).pathname.replace(/\/$/, '');
    return { httpOnly: true, sameSite: 'strict', secure: root.startsWith('https:'), path };
  }
}
