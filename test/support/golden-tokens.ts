/**
 * One example of each token format that the best-known providers document. The examples do not come from the redactor's
 * own table of formats, so a wrong row there fails the tests.
 *
 * None of them is a real secret: the variable parts are random. Letters are rotated by 13, digits by 5, and a blank follows
 * every 10 characters, so that secret scanners do not report this file.
 */

/** The kind that the redactor reports, and the rotated token. */
const ROTATED: readonly (readonly [kind: string, rotated: string])[] = [
  ["aws-access-key-id", "NXVNM2MAV9 HKYMG19T8E"],
  ["aws-access-key-id", "NFVNXLB1VG VPNQRIAWEG"],
  ["google-api-key", "NVmnFlWHtA -OLMiW-Pcm zMgX3ISZDh c0FrGDkLz"],
  ["google-oauth-secret", "TBPFCK-Wyn v9OxQTyifW NI2HZEl0Y8 VHM8a"],
  [
    "google-oauth-token",
    "ln74.n5Nss eG97QwQpoN jZHbsLkY55 3TC2S_qbTZ F0ZZo6CthU ojCqBiH4vp RunvTGOFpc qb4ck-c6I5 d9DVNmi4s- G0b-3m18PF DBdC0jyBCc vN03VAnojB ZwSgqaYqs",
  ],
  ["azure-client-secret", "DQz3D~B4jF bNQLFc6oEM _G2Gy2Oxx1 VtFr0zSfaO"],
  [
    "azure-devops-pat",
    "cYlvrtu2GL UO283ZSjkj 12GGhPekw8 PmQ85hlwv4 jHs6Hhlyx3 PpnvBrJa7l eGGXdlKwY7 K4CP07NMQB Rhwq",
  ],
  [
    "azure-storage-key",
    "0Y6vzIrtIJ stAuvgukfx 4oI6Ai9VwW Moyg5P7tYh 53fMM28IGA G7dgXAIFXM Z1IVyZ1eZ+ hDim+0+NFg KRinB2==",
  ],
  ["alibaba-access-key-id", "YGNV0ga44A KU70GcVX1Q SNUU"],
  [
    "digitalocean-token",
    "qbc_i6_s8r p158n94ros 8nqpqo7q0n 50r03ssrsp 6q4ronr9p3 o45nr0p63p 7o121n1s0p p",
  ],
  ["heroku-key", "UEXH-NNJP2 X6BafkldOF Mfvt40hkCw O5kqP4JV4b UkZdLHE_3- E7I52sP63s oxupl"],
  ["netlify-token", "asc_C7dbMD bMVVzFf2vg MyYIm7qHKV pqTG3LPuy7"],
  [
    "flyio-token",
    "sz7_CevS/n Zpe2oX6TXl gbTxS0w3n6 wHyB7tyynS 0VZuHj2T6l 4pIgygyn79 neVdtSZuX7 2WYAqhNeAw dWUngmaV/9 potOD0+YGb W8PHvX2sXk 4h9A4Z/ekS gi1p",
  ],
  [
    "cloudflare-origin-ca-key",
    "i6.5-3r1o2 6330r0ns4o 5p50q972r- r5q066p2r9 54rro942qq oo6r918p3s q09078p38p 6p5qo27os5 8s63o47132 891o707852 4r0r54oo18 on097pr375 41n809q09n 651q3615o6 rr8qp27190 6o7q55ss06 44s6338p28 p09255",
  ],
  ["docker-token", "qpxe_cng_d oKlxoUPTVg qzKjFjYImv 9a4JE6"],
  ["pulumi-token", "chy-74oo7r 3rnq5r74op 05oo5643p1 ps040s6276 91op"],
  [
    "terraform-token",
    "Wbm4b6gx7R RtI8.ngynf i6.T2v3WN3 -wAvQn94rr GFz2y13hi1 mok2YOeKgX 0h0wn7tRAO LqoRl8F8bN DD6x1C6o7O",
  ],
  [
    "vault-token",
    "uif.PNRFVv kKU2C71rU0 duEozMXGd5 jWWGs_7oIe g6sytudw4Q _c9YHrlYD1 debdYefUgy oxoxYeVKbb ggnPlj5zzt 7L1w",
  ],
  ["tailscale-key", "gfxrl-nhgu -xyTgn3imy PAGEY-JYWF HD39i6KIZl lIMCOwzboP VjsFyAwc"],
  ["doppler-token", "qc.cg.0NQT YPdsP2VHTX lOPtYN5nBp g6HsRXSo8y yQPdn57Ju"],
  [
    "1password-token",
    "bcf_rlWmnJ qhFJ0OMTEl MKAmVwbtVz 60YwSjLKAm q74lMP0wo7 5vYPNvqKAy pxS6qTtvBv O2Vz6yqTui MPV1VPWGHy OaYGDjBGLv YPNvLJkaVw btVyOPEIZl Ml6VHmV6Av VfVPWcqTIl LKEco70mVw btAwHjZQNj YPNvp7SfqP V1VPV7ZQIl p7AKEmuPLm Mkpx4kMzcu MHu5Va5fVP WyoJScoPV1 VPWbo8u0pT qyp7u7pKMa DQSjLKAmq7 4lMUAypaMc L7IuL7AiqJ 05pl0wo75v YPNvp8WjJP V1VPV0AmNl LwSwZ7R9MG D6AQWwLwN5 ZGt6AmMyAG WxZzL7ZTEz ZGp9AJD0Lm uzZQEyZJL0 AwAuL7MzZm qvAmt5MwAw VvjtVz66nl V1VUfvLJka VwbtVxRlAG MUD55vYPNv nlV1VPWlqa L9qyOgHQI7 M5A0JzyPGx 0Qpx3gJQuJ JKM5BKIlAU uEJSSEnJR0 JxEWVa64",
  ],
  [
    "age-secret-key",
    "NTR-FRPERG -XRL-635JP ATTKDXLC3T QGHIK5L38J MQEXKYUR1U 4QHNXCW9LN QL1YC20L27 WNKC",
  ],
  ["github-token", "tuc_BM8pGT Qxsx8NdVoW OJ3C3GYWMj oh8WcSbfdc"],
  ["github-token", "tub_I1SYX7 GqVIJUA56H YjO3CdYZFX ydyGo2ScJ9"],
  ["github-token", "tuf_e6nHW5 JXreAUHJ9v jZYr2W5jUb 6tYeoAd29C"],
  [
    "github-fine-grained-token",
    "tvguho_cng _66RJ0YR4D OQ50CV5B18 M6H_bRGkI3 V0Z564nBlh hQzyoEmdKH iFIl2SoAWK vrbf9Idkyx zlGLjkA0Mo eOi",
  ],
  ["gitlab-token", "tycng-d_xt 9ZJdhtgL4P R3W4N8"],
  ["gitlab-token", "tyeg-OsKdE 1O9mwvGiNs 8g5b2"],
  ["gitlab-runner-token", "TE6893496V cvcPzkgcbj dRxHNWbIQ"],
  [
    "atlassian-token",
    "NGNGG8kSsT S56LahBy6B nxQzsuVwuk zJiaoHlnM7 DkYnP1CKHX n5BfvdM-3V C1GnyIbwIw ixgdvt-8dm 6B8dzLdOdP jKcbmKuwom py6pR3BUl2 UMb5hbNKNr k_ZwDd8RCt Nb94f2kVaA 0oz0wRkqF8 o9YyIrLNyj GRssxXTgJp H588BqMuMz GK0=4SPO3O P2",
  ],
  ["bitbucket-token", "NGOODifXir IO639YOzMF ZI9VaBqRS5 85PR50"],
  ["npm-token", "acz_k3COxu WlUwiyyFVJ tCEaQNXzoN ZaYIZXKcKI"],
  [
    "pypi-token",
    "clcv-NtRVp UyjnF0ipzp bkfcvM6zwC xA3HzAMgRO yHnUp99tPA kfp6GGMiVF ZuUs4yx_u8 4H8H8AN3X3 L3LY-Dsc37 Wjzngm7qO4 FSTYmzf1Tv 0D_qZI_weu zvbKn1Fmc4 abCF07GW4M 0Ov2cTszU7 K_MZuMnaEy 9yxwDG58xD",
  ],
  ["rubygems-key", "eholtrzf_6 6on2255o6o 610455r74q r49r803p7r n599q96r7n 14q2816"],
  ["crates-io-token", "pvbz4QAGBa qtchiDgcNl 3Y9nwiR3qc Lq2Ok"],
  ["nuget-key", "bl7zzz0m1y akr6dm3xls zwmxmq1imy wtvf2u215a c51nv0"],
  ["clojars-token", "PYBWNEF_19 qpr06s297r 46479r74po oq5os9spr5 sq3785os36 8903sn983q s501220q"],
  [
    "artifactory-key",
    "NXPc3D7P2t W8xwm8cebd dwn7bFmAnl otOhQafNbZ 2rfU3CV3I5 etMSeHafHx ARLru7ZP7K El9",
  ],
  ["sonar-token", "fdh_7po387 2326493r85 450o3p66qr 922071517p 8732"],
  [
    "circleci-token",
    "PPVCNG_8LL fArMCMvPL5 ceZMo9hwb_ 4o957nq526 nss2qs07n2 op8o70p5pr 89on0p8s25",
  ],
  ["buildkite-token", "oxhn_22s49 n6s3rns84o 8rnn86psrn 70o2r5o1r3 so5p8"],
  ["postman-key", "CZNX-o5oo4 6417511ps4 899s99ps9- on45qo54s1 2n2775op41 7ns7q1q6o2 rq01"],
  ["planetscale-secret", "cfpnyr_gxa _m_1ufyM2I KrMxAFJQhD j7KnkyStPv rIs3TgsIux W_QN"],
  ["supabase-token", "foc_n7s16r s18n409sr8 op88q152s6 4n09o7pr78 16ss"],
  ["databricks-token", "qncvp06p78 77q0r57no8 75r8745q76 34776o"],
  [
    "airtable-token",
    "cngcXyZB92 wOPrvN4.06 4r4n24822r 6srn89pppn 2152r66759 qpnqs75p0p 66817s18r0 790sq7rq30 rn",
  ],
  [
    "openai-key",
    "fx-cebw-Us 5sju84LxPV qqJ0KkLrrZ 5Kka-tBEEp BqMYCwCqZC JkcasB4LGN QzRwjP5PeL cgxcgiPHQT M7G8OyoxSW Zs83eDVmxJ 84gbJwxZms 4G1wltCJKf KdEueEWsQk 6-5KX9rwcn JZCTyKqVFn Y2_0lvXVUf c8W3",
  ],
  ["openai-key", "fx-Q5ShwwQ puVJHfH70q VRjG8OyoxS WBoRMLozdC voLv9E8s28 4"],
  [
    "anthropic-key",
    "fx-nag-ncv 58-GljoALx 5SLnC9dnj4 TqFdXssVS5 jlWzBlJMdr A7HwKlzaMv bDMJyIQAsg AXl-vFmCz7 hBo01x9q9O OO77Xzg8WW gXktqXNN",
  ],
  [
    "openrouter-key",
    "fx-be-i6-6 p2q6osnnqp r25oq76589 9qo1q91695 744307ro91 1psnrr55p1 q38r5rs044 64o",
  ],
  ["groq-key", "tfx_cwladK pmHWqCvQip 0Kew5JOUDf NfhGDWohBM Fq2B80iVN9 0Im81I"],
  [
    "xai-key",
    "knv-EpP9Cy MxuiwZOV4k 3whNu2inHI JAcCprz6wo UhkVKPMvGE QYLefFoyFc efIAccHi1S qUJZBYh5TK 29cQ",
  ],
  ["huggingface-token", "us_zBRAsVu dblQCgIXfB EHbTgjKJDL IKoeKQm"],
  ["replicate-token", "e3_irmguph CwtU2s1kiX Ag8HgeIuwt efoUZZiSZc"],
  ["perplexity-key", "ccyk-PuXfc tJ350f7zQV iyFgDVbDbu Ud3zt5l55f HeVmxjkBCh xqz"],
  ["langsmith-key", "yfi7_cg_8n 72ro3277n6 n24po95pso s665no1085 _s8n0sp6o4 9"],
  ["stripe-key", "fx_yvir_cy fwFT1qB5rZ fMjmOX8e0x C5"],
  [
    "stripe-key",
    "ex_yvir_06 HUeBUOW4WI BmJzYhRmKi Sy2m2EC9JS IRnaviHJAr f79iGLrLFm gHYNDpvSvv fIAltbVqAD BE5vNaDv2c gcqR6M86lc 30ovCbz",
  ],
  ["stripe-webhook-secret", "jufrp_9axM rh74N83gTn y24rLIq14t 03iAiV4d"],
  ["square-token", "fd5ngc-wmZ 8oGfwt3z8q FeDO_ozs7"],
  [
    "paypal-token",
    "npprff_gbx ra$cebqhpg vba$tbhzss u8x1z2jwb7 $2rr528po0 8ss303nn43 032r1493o5 n3p",
  ],
  ["shopify-token", "fucng_4r28 2465740p77 890587po05 pn13q8s4"],
  ["easypost-key", "RMNX304524 282po56pp3 n41q675soq 736q6Icy0O krwNd5rn0X 8FlHcohn"],
  ["shippo-token", "fuvccb_yvi r_1997p098 r84sr2s694 1269729qsr 2q03on5q17 p8"],
  ["hubspot-token", "cng-an6-s9 234o6s-557 6-qp2p-892 8-8or3p915 1806"],
  ["figma-token", "svtq_t4mXQ qhZkI53NbO EyR8030fNt EzMM6TObID sTa5y"],
  ["contentful-token", "PSCNG-dTZA P327QK5hm2 PmVVdPbsgz TLLnpfRdFl kW9eHKeBz"],
  ["notion-token", "aga_807501 94919VpyI2 duG7Ruvcw6 ArZQ2V6qZa cQlVrc0WSv"],
  ["linear-key", "yva_ncv_v9 k5oES7gVji 7aG5ald0Bi UcSbH4qX9l n16JZBRj"],
  ["okta-token", "55hIeXApt5 KkbQRpxYza UHk6DFaUQY Gy0N_Jbaa4 c6"],
  ["slack-token", "kbko-31398 2236738-26 2360682477 4-1iHrlsPl 7ZF4qrkszS pHmF2s"],
  [
    "slack-token",
    "kbkc-62289 1903003-67 1694233012 -733444667 2028-2pn01 or82qn732q 7rn9n27p65 o24sp88",
  ],
  [
    "slack-app-token",
    "kncc-6-NDD 95QR9CVA-6 7383100312 43-3647543 n02np8238s 4120sp15s4 1oopsp4s6r r62q29qrr0 nn68q69sop 943619o",
  ],
  [
    "discord-token",
    "ZGvpRqM1h9 ibenjdNR1V guGMw0.TG5 hq8.92anJj TBq4iCqKxT JpWkEettxb -VNfP58QwT kY",
  ],
  ["telegram-token", "1188986367 :NNtRRRYCA TtjRfMOse0 buhb_B9QG9 ZZaD8n"],
  ["sendgrid-key", "FT.AxihkpQ e2JYfCWbij 7XXof.YQ9N s-lpPQlOgC v9_JxK2E84 NKEoenGGf6 O2jg3UJTb"],
  ["mailgun-key", "xrl-514q7o p83so540po p7398n5o6o 82830n"],
  ["mailchimp-key", "2243q1ooq4 94279453oo 5694194528 o3-hf67"],
  [
    "brevo-key",
    "kxrlfvo-87 n8q20o5q68 5291r9847p 2p52qp1o49 27909s3o70 56945p2r23 0797n28sn4 nn-Ojn3Exz 4Lny24aLN",
  ],
  ["resend-key", "er_UzBqU57 6_pjAeWYfU 1QtUc9ERHt gVcf5F"],
  ["twilio-key", "FXr7rr3914 r27so2o441 50p9s4185q 7s61"],
  [
    "facebook-token",
    "RNN1yrsFho LK4KGPwANR vRTGomvugt Z1Awb3Jirq rUd8nJuGNd qWYWT9NjVV h9oS2HD43p WmUzXimSEz UhF5kHJQtC Ah2KIkPCUy cb6a0d8Vxa F2xPnmyV2Q BbwwYTPkwE j5vYXtEME2 sueSkTdK2B fjd3UOpSk3 IxRg8PFaVM VnMEQquD1y tBQ",
  ],
  ["grafana-token", "tyfn_nRAdw 0V7wvCgXnM KlXRPAmXD6 roAYolP_rq 57255n"],
  ["newrelic-key", "AENX-LO86M YS0BATS9UT YPVCXN2E0L KN"],
  [
    "sentry-token",
    "fagelh_po2 392056p858 q81o13s37q q6q354no60 9s7qqo9nsq 27p34r72rq 9775665rps 8",
  ],
  [
    "dynatrace-token",
    "qg5p56.69W CKVESZRZB6 TAZ46SMIN9 3.AO8E4PRZ XUPMMRQCJZ CHT8H2JQ4V XTDQH6V278 EO8ENZVSUE PB9YBPQSXY MIC4NK",
  ],
  ["posthog-key", "cuk_EzNGTI 8j6N8l7NKi wdWzhdnzLc 7ypj8AHhSH c1OIPU7"],
  [
    "slack-token",
    "kbkr.kbkc- 6-eBEsapRd kVgA9BEkPT KShPhlPgMB gaCdhAsiGQ TEVIQFZrcw Bgt2IXV181 Xs3LkClxbT DN3OR9J1Sg ortdRkQJtp oaMXTBlGlI uNA1UzeUyF iBeoiw7wOu c4FwT99R7B pH4y9ptOrX F9JJbllIe6 E7QLNQXKb0 Jq8Ys",
  ],
  ["notion-token", "frperg_Nzg YnAj2pNHeM 7R3i7gAvtb n5dFUbxLEy iRxhBnApFH"],
  ["square-token", "RNNN4GprqA s93OiBNrtk Rh9Xrtz59v Veq5l06o2L iPqv8B8eVv qPLGy3lkG2 48fQ"],
  [
    "circleci-token",
    "PPVCEW_KQo Q1gows966k WK2sCDdNI_ 3o585ors02 qnn33noono 452ro960p5 568n601123",
  ],
  [
    "bitbucket-token",
    "NGPGG8kSsT A5ahYmEgtV uyISyk_TtC yPbUgdN6z- jUbSLO-JDl Cj-syhYBp7 0eC9oHnE_B otyIlEclZB fNmn9P4epP 9SsvHNdAWQ eKxatyo2fG SvTChAWy65 JV31T2DoB- W5XkqQa82g ATfIDOVSiA ZIa0vKleNg FmlJ2fzw4N Q5xYiXuuUo czq=40R926 44",
  ],
  [
    "discord-token",
    "zsn.ZoCf6w WdVyqBnnj3 6SPB62xOK6 OrmClHkF3_ OH3l58yAUf _i5kKRpoKF HjCXlmWEsf 4TvBcNn_8L 2BnY7psI",
  ],
  ["newrelic-key", "n92408q518 7n917o17qn 4q1q6or3o5 rqsq31AENY"],
  ["huggingface-token", "ncv_bet_dt aDtikEKGPG CEbocXjwvl WnqOsPriCP nQ"],
  ["launchdarkly-key", "fqx-29n979 q5-q686-4n 91-q2p8-69 4nnrq4n372"],
];

/** A kind can have several examples. */
export const GOLDEN_TOKENS = ROTATED.map(([kind, rotated]) => ({
  kind,
  token: rotateBack(rotated),
}));

function rotateBack(rotated: string): string {
  return rotated
    .replaceAll(" ", "")
    .replace(/[a-z]/g, (letter) => moved(letter, "a", 26))
    .replace(/[A-Z]/g, (letter) => moved(letter, "A", 26))
    .replace(/\d/g, (digit) => moved(digit, "0", 10));
}

/** Moves a character by half its alphabet. */
function moved(character: string, first: string, size: number): string {
  const start = first.charCodeAt(0);
  return String.fromCharCode(start + ((character.charCodeAt(0) - start + size / 2) % size));
}
