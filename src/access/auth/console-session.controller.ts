import { Body, Controller, Delete, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { Auth, Authenticated, Public } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { OtherResponse, RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { toConsoleSessionDto, toSecondFactorResponse } from './auth.mapper.js';
import { AuthService, type SignedIn } from './auth.service.js';
import { ConsoleCookiesService } from './console-cookies.service.js';
import { type ClientDevice, Device } from './device.js';
import { ConsoleSessionDto } from './dto/console-session.dto.js';
import { LoginDto } from './dto/login.dto.js';
import { SecondFactorLoginDto, SecondFactorRequiredDto } from './dto/second-factor-login.dto.js';
import { LoggedOutDto } from './dto/session.dto.js';
import { SessionsService } from './sessions.service.js';

/** The session of a person in a browser: a cookie in place of tokens, which scripts could read. */
@ApiTags('Accounts')
@Controller('auth/session')
export class ConsoleSessionController {
  constructor(
    private readonly auth: AuthService,
    private readonly sessions: SessionsService,
    private readonly cookies: ConsoleCookiesService,
  ) {}

  @Post()
  @Public()
  @RateLimit('login')
  @DocumentedErrors('credentials_wrong')
  @ApiOperation({
    summary: 'Log in with a cookie',
    description:
      'As the login, for pages of this origin: the response has no tokens, and sets a cookie that counts as an access token does, for 30 ' +
      'days (`HttpOnly`, `SameSite=Strict`). Requests that change something need the header `X-CSRF: 1`. A key or an access token in the ' +
      'request counts instead of the cookie, and public endpoints ignore it.',
  })
  @RespondsWith(ConsoleSessionDto, 'Logged in', SecondFactorRequiredDto)
  async open(
    @Body() body: LoginDto,
    @Device() device: ClientDevice,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ConsoleSessionDto | OtherResponse<SecondFactorRequiredDto>> {
    const result = await this.auth.login(body.email, body.password, device);
    return 'user' in result ? this.settle(result, response) : toSecondFactorResponse(result);
  }

  @Post('second-factor')
  @Public()
  @RateLimit('login')
  @DocumentedErrors('second_factor_code_invalid', 'authentication_required', 'second_factor_token_invalid')
  @ApiOperation({
    summary: 'Log in with a cookie, second step',
    description: 'Needs the token of the first step, and a code of the app or a recovery code. Both work once.',
  })
  @RespondsWith(ConsoleSessionDto, 'Logged in')
  async complete(
    @Body() body: SecondFactorLoginDto,
    @Device() device: ClientDevice,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ConsoleSessionDto> {
    return this.settle(await this.auth.completeLogin(body.token, body.code, device), response);
  }

  @Delete()
  @Authenticated()
  @DocumentedErrors('session_not_found')
  @ApiOperation({ summary: 'Log out', description: 'Ends the session of the request, and removes its cookie.' })
  @RespondsWith(LoggedOutDto, 'Logged out')
  async end(@Auth() auth: AuthContext, @Res({ passthrough: true }) response: Response): Promise<LoggedOutDto> {
    await this.sessions.end(auth, auth.credentialId);
    this.cookies.clear(response);
    return { status: 'logged_out' };
  }

  private async settle(signedIn: SignedIn, response: Response): Promise<ConsoleSessionDto> {
    await this.cookies.set(response, signedIn.session);
    return toConsoleSessionDto(signedIn);
  }
}
