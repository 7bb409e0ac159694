import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Auth, Authenticated, Public } from '../../http/routes/access.decorators.js';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { toPasswordChangedDto, toUserDto } from './auth.mapper.js';
import { type ClientDevice, Device } from './device.js';
import {
  ChangePasswordDto,
  ForgotPasswordDto,
  PasswordChangedDto,
  PasswordResetDto,
  ResetPasswordDto,
  ResetRequestedDto,
} from './dto/password.dto.js';
import { UserDto } from './dto/user.dto.js';
import { PasswordResetRequestsService } from './password-reset-requests.service.js';
import { PasswordService } from './password.service.js';

/** The caller's own account and its password. */
@ApiTags('Accounts')
@Controller('auth')
export class AccountController {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordService,
    private readonly resetRequests: PasswordResetRequestsService,
  ) {}

  @Get('me')
  @Authenticated()
  @ApiOperation({ summary: 'Read my account', description: 'Returns the account of the access token.' })
  @RespondsWith(UserDto, 'Account retrieved')
  async me(@Auth() auth: AuthContext): Promise<UserDto> {
    return toUserDto(await this.users.get(auth.userId, null));
  }

  @Post('password/change')
  @Authenticated()
  @RateLimit('passwordCheck')
  @ApiOperation({
    summary: 'Change my password',
    description:
      'Needs the current password. All sessions end at once, including the current one: use the tokens in the response. We send an email about the change.',
  })
  @RespondsWith(PasswordChangedDto, 'Password changed; use these tokens from now on')
  async change(
    @Auth() auth: AuthContext,
    @Body() body: ChangePasswordDto,
    @Device() device: ClientDevice,
  ): Promise<PasswordChangedDto> {
    return toPasswordChangedDto(await this.passwords.change(auth, body, device.name));
  }

  @Post('password/forgot')
  @Public()
  @RateLimit('verificationCode')
  @ApiOperation({
    summary: 'Request a password reset',
    description:
      'Sends a token by email. It works once, for 60 minutes. The response is the same for unknown addresses.',
  })
  @DocumentedErrors(409)
  @RespondsWith(ResetRequestedDto, 'If the address has an account, an email is on its way to it')
  async forgot(@Body() body: ForgotPasswordDto): Promise<ResetRequestedDto> {
    await this.resetRequests.forgot(body.email);
    return { status: 'accepted' };
  }

  @Post('password/reset')
  @Public()
  @RateLimit('verificationCode')
  @ApiOperation({
    summary: 'Reset a password',
    description:
      'Needs the token from the email. All sessions end, and no session is opened: log in with the new password, and with the second factor, which stays on. With `revokeApiKeys`, your API keys in all shops are revoked too.',
  })
  @RespondsWith(PasswordResetDto, 'Password reset; log in with the new password')
  reset(@Body() { token, newPassword, revokeApiKeys = false }: ResetPasswordDto): Promise<PasswordResetDto> {
    return this.passwords.reset(token, newPassword, revokeApiKeys);
  }
}
