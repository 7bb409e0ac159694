import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith, type OtherResponse } from '../../http/routes/responds-with.decorator.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { toLoginResponse, toSignedInDto, toTokensDto } from './auth.mapper.js';
import { AuthService } from './auth.service.js';
import { type ClientDevice, Device } from './device.js';
import { LoginDto } from './dto/login.dto.js';
import { LogoutDto } from './dto/logout.dto.js';
import { RefreshDto } from './dto/refresh.dto.js';
import { RegisterDto } from './dto/register.dto.js';
import { SecondFactorLoginDto, SecondFactorRequiredDto } from './dto/second-factor-login.dto.js';
import { LoggedOutDto } from './dto/session.dto.js';
import { SignedInDto } from './dto/signed-in.dto.js';
import { TokensDto } from './dto/tokens.dto.js';
import { RegistrationService } from './registration.service.js';
import { SessionsService } from './sessions.service.js';

/** Registration, login and logout: routes that need no access token. */
@ApiTags('Accounts')
@Controller('auth')
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly registration: RegistrationService,
    private readonly sessions: SessionsService,
  ) {}

  @Post('register')
  @Public()
  @RateLimit('login')
  @DocumentedErrors('registration_closed', 'email_taken')
  @ApiOperation({
    summary: 'Create an account',
    description:
      'Creates an account and opens its first session. The operator decides who can: everybody, people whom a shop has invited to its team (send `invitationToken`), or nobody.',
  })
  @RespondsWith(SignedInDto, 'Account created')
  async register(@Body() body: RegisterDto, @Device() device: ClientDevice): Promise<SignedInDto> {
    return toSignedInDto(await this.registration.register(body, device));
  }

  @Post('login')
  @Public()
  @RateLimit('login')
  @DocumentedErrors('credentials_wrong')
  @ApiOperation({
    summary: 'Log in',
    description:
      'Opens a session. If the account has a second factor, it returns a token for the second step instead. The error is the same for a wrong password and for an unknown address.',
  })
  @RespondsWith(SignedInDto, 'Logged in', SecondFactorRequiredDto)
  async login(
    @Body() body: LoginDto,
    @Device() device: ClientDevice,
  ): Promise<SignedInDto | OtherResponse<SecondFactorRequiredDto>> {
    return toLoginResponse(await this.auth.login(body.email, body.password, device));
  }

  @Post('login/second-factor')
  @Public()
  @RateLimit('login')
  @DocumentedErrors('second_factor_code_invalid', 'authentication_required', 'second_factor_token_invalid')
  @ApiOperation({
    summary: 'Log in, second step',
    description: 'Needs the token of the first step, and a code of the app or a recovery code. Both work once.',
  })
  @RespondsWith(SignedInDto, 'Logged in')
  async completeLogin(@Body() body: SecondFactorLoginDto, @Device() device: ClientDevice): Promise<SignedInDto> {
    return toSignedInDto(await this.auth.completeLogin(body.token, body.code, device));
  }

  @Post('refresh')
  @Public()
  @RateLimit('refresh')
  @DocumentedErrors('refresh_token_invalid')
  @ApiOperation({
    summary: 'Renew the tokens',
    description:
      'Exchanges a refresh token for new tokens. Sent again within 30 seconds, it gets the same tokens, if they are not used yet. Every other second use ends the session.',
  })
  @RespondsWith(TokensDto, 'Tokens renewed')
  async refresh(@Body() body: RefreshDto): Promise<TokensDto> {
    return toTokensDto(await this.sessions.refresh(body.refreshToken));
  }

  @Post('logout')
  @Public()
  @RateLimit('refresh')
  @ApiOperation({
    summary: 'Log out',
    description:
      'Ends the session of a refresh token. Its access tokens stop working at once. The response is the same for any token.',
  })
  @RespondsWith(LoggedOutDto, 'Logged out')
  async logout(@Body() body: LogoutDto): Promise<LoggedOutDto> {
    await this.auth.logout(body.refreshToken);
    return { status: 'logged_out' };
  }
}
