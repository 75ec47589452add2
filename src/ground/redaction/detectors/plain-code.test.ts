/** Plain code next to words that announce a secret, as in libraries and system files: names, calls, references and types. */

import { describe, expect, test } from "vitest";
import { letters, seeded } from "../../../../test/support/secret-samples.ts";
import { redact } from "../redact.ts";
import { MARK } from "../span.ts";

const random = seeded(20_261_123);

describe("plain code stays", () => {
  test.each([
    "if (typeof this.password === 'function') {",
    "self._passphrase = passphrase",
    "self.encrypted_client_cert_password = encrypted_client_cert_password",
    "encrypted_password_data = encrypted_password_dict",
    "(exports.Socks5Auth = Socks5Auth = {}));",
    "progressToken: ProgressTokenSchema$1, oauth2JwtBearer: Oauth2JwtBearer.",
    "if (newpassword !== confirmedpassword) {",
    "const setupAuthServer = ({ authServerUrl, mcpServerUrl, strictResource }) => {",
    "const clientKey = await crypto.hmacSha256(saltedPassword, 'Client Key')",
    "connection_profile.mysqlProfile.sslConfig.clientKey = args.client_key",
    "'x-goog-copy-source-encryption-key-sha256': decryption_key.sha256,",
    "XMLSEC_CRYPTO_EXPORT xmlSecKeyDataId    xmlSecGnuTLSKeyDataX509GetKlass         (void);",
    "extern KeySym *XkbResizeKeySyms(",
    "syn keyword cmakeKWcmake_minimum_required contained",
    "#define SDEI_1_0_FN_SDEI_PRIVATE_RESET\t\t\tSDEI_1_0_FN(0x11)",
    "FUNC:_ZNKSbIwSt11char_traitsIwESaIwEE4_Rep12_M_is_sharedEv@@GLIBCXX_3.4 and its key",
    "password: required|min:8|confirmed",
    "'password' => 'required|min:8|confirmed',",
    '"Action": ["secretsmanager:GetSecretValue2"]',
    "my $pass = $assert->{pass};",
    'my $pass = $self->{+_PASSING} or return 0; $PASSWORD = $CPAN::Config->{proxy_pass} || "";',
    "$self->{':private:'}{$key} = $self->{':private:'}{Config}{man1direxp};",
    "my $Token = qr/[\\x21\\x23-\\x27\\x2A\\x2B]/;",
    "-p, --password PASSWORD2, //registry.example.com/:_authToken=MYTOKEN1",
    "algorithm: AesKeyGenParams | HmacKeyGenParams | Pbkdf2Params,",
    "export type AnsiToken = TextToken | StToken | C1Token | InvalidToken;",
    '"double" | "password" | "binary"; \'current-password\' | \'family-name\'',
    "#define CKM_WTLS_MASTER_KEY_DERIVE 0x000003D1UL",
    "lastToken === 102/*f*/ && source",
    '#define TLS1_TXT_DHE_PSK_WITH_3DES_EDE_CBC_SHA "DHE-PSK-3DES-EDE-CBC-SHA"',
    "password_encryption = scram-sha-256, AUTH=CRAM-MD5",
    "keystore.pkcs12.keyProtectionAlgorithm = PBEWithHmacSHA256AndAES_256",
    "/* Basic Operators */ 2.7.2. Basic Options, Basic SFNT/TrueType tables",
    'product_tokens.append(\'Python/%s\' % version); token_range = "%d,%d-%d,%d:" % range; PRIVATE_INFO "%s/.terminfo"',
    "private_key\t= $dir/private/cakey.pem# The private key",
    '"host": "2606:2800:220:1:248:1893:25c8:1946"',
    'if (pw_has("change")) {',
    "with swap_attr(pwd, 'getpwuid', mock_getpwuid):",
    "result = hashlib.scrypt(password, salt=salt, n=n, r=r, p=p)",
    "password=password, scope=scope, **kwargs)  # pylint: disable=protected-access",
    "n$=B({...W$.shape,progressToken:D}),$6=K.extend({method:P})",
    "sendNotification:X.mcpReq.notify,authInfo:X.http?.authInfo}}var W9=1",
    "{message:`Token verification failed`,token:e?e.substring(0,10)+`...`:`missing`}",
    "this.token=e,this.isExpr=!!t,this.preserveSpace=!!i",
    "V.tokens=m),w.parts===!0||w.tokens===!0){",
    "{description:`Invalid client credentials`,statusCode:401};this.checks.push({id:1})",
    "AUTH_VERSION_1_ALPHA = 'authentication.gke.io/v1alpha1'; AddPrivateIPv6Flag('v1beta1', p)",
    'filters: "*TOKEN*", "*SECRET*", "*PASSWORD*", \'users.*.password\', \'users.*.profile.preferences.*\'',
    '"PUT /repos/{owner}/{repo}/actions/secrets",\n      "GET /repos/{owner}/{repo}/actions/variables",',
    "node app.js | pino-http-send -u http://localhost:8080/logs",
    "['-p', '--password', '--use-random-password'], PWD --on-variable=PWD",
    "fix a handle for private value 6a80995694f162ef63dbc9948fbefd45d4485aa0",
    "printf(&quot;Password is correct.&quot;);",
    "Wheels are zip files containing importable pure-Python code",
    "an IAM user in the account (arn:aws:iam::123456789012:user/bob), an account, for example user:alice@example.com",
    "password_policy_password_change_interval: duration, the (Private Key): base64url-encoded private key",
    'lastSignificantToken = "?NonExpressionParenKeyword";',
    '{crossDomain:!1,withCredentials:!1,method:"GET",timeout:0,responseType:"json",retries:3},b),d=1',
    "flags.AddPrivateEndpointFQDNFlag(parser)",
    'SecureField("Password", text: $password)',
    'password: "{{ vault_db_password }}"',
    'db_password: "${ var_db.password }", token: "${{ secrets.NPM_TOKEN }}"',
    "password: ERR_PASSWORD_2,",
    "token: Token2022,",
  ])("%s", (text) => {
    expect(redact(text).text).toBe(text);
    expect(redact(`before\n  ${text}\nafter`).text).toBe(`before\n  ${text}\nafter`);
  });

  test("an indented body in base64 that names a key", () => {
    for (let i = 0; i < 20; i++) {
      const lines = Array.from({ length: 4 }, () => `        ${letters(random, "w", 60)}`);
      const text = ["<key>archive</key>", ...lines, ""].join("\n");
      expect(redact(text).text).toBe(text);
    }
  });
});

describe("a secret in the same place goes", () => {
  test.each<readonly [template: string, secret: string]>([
    ["if (this.password === '§') {", "function2024!"],
    ["self._passphrase = §", "passphrase2024!"],
    ["my $pass = §;", "$Winter->2024!"],
    ["-p, --password §", "Winter2024"],
    ["'password' => '§',", "required|2024!"],
    ["zip -r -P § backup.zip src", "Winter2024"],
    ["Authorization: Basic §", Buffer.from("operator:winter2024").toString("base64")],
    ["login with the account (alice/§)", "Winter2024!"],
    ["| db | DB_PASSWORD | § |", "winter2024"],
    ["DB_PASSWORD | § | prod", "winter2024"],
    ["password: |\n  §\n", "bluewriver"],
    ["password: § # staging", "blue_river_stone"],
    ["(password, §, n=1)", "Winter2024!"],
    ["the private key is §", letters(random, "w", 32)],
  ])("%s", (template, secret) => {
    expect(redact(template.replace("§", () => secret)).text).toBe(template.replace("§", MARK));
  });
});
