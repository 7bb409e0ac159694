import { Body, Controller, Get, Header, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Auth, Authenticated, Public } from '../common/auth/access.decorators.js';
import { type AuthContext } from '../common/auth/auth-context.js';
import { Answers } from '../common/http/answers.decorator.js';
import { RateLimit } from '../common/throttling/rate-limit.decorator.js';
import { UsersService } from '../users/users.service.js';
import { toPasswordChangedDto, toUserDto } from './auth.mapper.js';
import { Device } from './device.js';
import {
  ChangePasswordDto,
  ForgotPasswordDto,
  PasswordChangedDto,
  ResetPasswordDto,
  ResetRequestedDto,
} from './dto/password.dto.js';
import { SessionsEndedDto } from './dto/session.dto.js';
import { UserDto } from './dto/user.dto.js';
import { PasswordService } from './password.service.js';

/** The caller's own account, and the way back into it. */
@ApiTags('Accounts')
@Controller('auth')
export class AccountController {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordService,
  ) {}

  @Get('me')
  @Authenticated()
  @ApiOperation({ summary: 'Read my account', description: 'The account behind the access token.' })
  @Answers(UserDto, 'Account retrieved')
  async me(@Auth() auth: AuthContext): Promise<UserDto> {
    return toUserDto(await this.users.get(auth.userId));
  }

  @Post('password/change')
  @Authenticated()
  @RateLimit('passwordCheck')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    summary: 'Change my password',
    description:
      'Needs the current one. All sessions end at once, with their access tokens, the one of this request included: go on with the tokens of the answer. A mail tells of the change.',
  })
  @Answers(PasswordChangedDto, 'Password changed; go on with these tokens')
  async change(
    @Auth() auth: AuthContext,
    @Body() body: ChangePasswordDto,
    @Device() device: string | null,
  ): Promise<PasswordChangedDto> {
    return toPasswordChangedDto(await this.passwords.change(auth, body, device));
  }

  @Post('password/forgot')
  @Public()
  @RateLimit('verificationCode')
  @ApiOperation({
    summary: 'Request a password reset',
    description: 'Mails a token that works once, for 60 minutes. The answer is the same for unknown addresses.',
  })
  @Answers(ResetRequestedDto, 'If the address has an account, a mail is on its way')
  async forgot(@Body() body: ForgotPasswordDto): Promise<ResetRequestedDto> {
    await this.passwords.forgot(body.email);
    return { status: 'accepted' };
  }

  @Post('password/reset')
  @Public()
  @RateLimit('verificationCode')
  @ApiOperation({
    summary: 'Reset a password',
    description:
      'With the token from the mail. All sessions end and none is opened: log in with the new password. The first reset of an account, which first proves whose the address is, also removes its second factor.',
  })
  @Answers(SessionsEndedDto, 'Password reset; log in with the new one')
  async reset(@Body() body: ResetPasswordDto): Promise<SessionsEndedDto> {
    return { sessionsEnded: await this.passwords.reset(body.token, body.newPassword) };
  }
}
