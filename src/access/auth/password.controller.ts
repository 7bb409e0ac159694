import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { Auth, Authenticated, Public } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { type OtherResponse, RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { toConsolePasswordChanged, toPasswordChangedDto } from './auth.mapper.js';
import { isByCookie } from './console-cookie.js';
import { ConsoleCookiesService } from './console-cookies.service.js';
import { type ClientDevice, Device } from './device.js';
import { ConsolePasswordChangedDto } from './dto/console-session.dto.js';
import {
  ChangePasswordDto,
  ForgotPasswordDto,
  PasswordChangedDto,
  PasswordResetOutcomeDto,
  ResetPasswordDto,
  ResetRequestedDto,
} from './dto/password.dto.js';
import { PasswordResetRequestsService } from './password-reset-requests.service.js';
import { PasswordResetsService } from './password-resets.service.js';
import { PasswordService } from './password.service.js';

/** The password of an account. */
@ApiTags('Accounts')
@Controller('auth/password')
export class PasswordController {
  constructor(
    private readonly passwords: PasswordService,
    private readonly resets: PasswordResetsService,
    private readonly resetRequests: PasswordResetRequestsService,
    private readonly cookies: ConsoleCookiesService,
  ) {}

  @Post('change')
  @Authenticated()
  @DocumentedErrors('password_wrong')
  @RateLimit('passwordCheck')
  @ApiOperation({
    summary: 'Change my password',
    description:
      'Needs the current password. All sessions end at once, including the current one: use the tokens in the response, or the new cookie. We send an email about the change.',
  })
  @RespondsWith(PasswordChangedDto, 'Password changed; use these tokens from now on', ConsolePasswordChangedDto)
  async change(
    @Auth() auth: AuthContext,
    @Body() body: ChangePasswordDto,
    @Device() device: ClientDevice,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PasswordChangedDto | OtherResponse<ConsolePasswordChangedDto>> {
    const changed = await this.passwords.change(auth, body, device.name);
    if (!isByCookie(request)) return toPasswordChangedDto(changed);
    await this.cookies.set(response, changed.session);
    return toConsolePasswordChanged(changed);
  }

  @Post('forgot')
  @Public()
  @RateLimit('verificationCode')
  @ApiOperation({
    summary: 'Request a password reset',
    description:
      'Sends a token by email. It works once, for 60 minutes. The response is the same for unknown addresses.',
  })
  @DocumentedErrors('emails_off')
  @RespondsWith(ResetRequestedDto, 'If the address has an account, an email is on its way to it')
  async forgot(@Body() body: ForgotPasswordDto): Promise<ResetRequestedDto> {
    await this.resetRequests.forgot(body.email);
    return { status: 'accepted' };
  }

  @Post('reset')
  @Public()
  @DocumentedErrors('reset_token_invalid')
  @RateLimit('verificationCode')
  @ApiOperation({
    summary: 'Reset a password',
    description:
      'Needs the token from the email. All sessions end, and no session is opened: log in with the new password, and with the second factor, which stays on. With `revokeApiKeys`, your API keys in all shops are revoked too.',
  })
  @RespondsWith(PasswordResetOutcomeDto, 'Password reset; log in with the new password')
  reset(@Body() { token, newPassword, revokeApiKeys = false }: ResetPasswordDto): Promise<PasswordResetOutcomeDto> {
    return this.resets.reset(token, newPassword, revokeApiKeys);
  }
}
