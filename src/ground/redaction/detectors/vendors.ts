/**
 * Services whose keys have no shape of their own: the name beside forty random characters identifies them.
 * A name here is only a hint; the value must still look generated. Words that notes use in other senses are left out.
 */
export const VENDORS: ReadonlySet<string> = new Set(
  `airtable algolia alibaba amplitude asana atlassian auth0 bitbucket bitly browserstack bugsnag buildkite circleci clarifai
  cloudflare cloudinary cloudways codacy codeclimate codecov cohere coinbase confluent contentful couchbase coveralls datadog
  deepgram deepl deepseek digitalocean discord disqus docusign dropbox elasticemail elevenlabs etherscan eventbrite facebook
  figma firebase flickr freshdesk fullstory gemini github gitlab gitter heroku honeycomb hubspot huggingface infura intercom
  jenkins jfrog klaviyo kraken lastfm launchdarkly linear linkedin lokalise mailchimp mailgun mailjet mandrill mapbox mattermost
  maxmind messagebird mixpanel netlify newrelic ngrok notion npm nytimes okta onesignal opencage openweather opsgenie pagerduty
  paypal pinata plaid plivo postman postmark pubnub pusher razorpay replicate rollbar salesforce scaleway segment sendbird
  sendgrid sendinblue sentry shodan shopify slack snyk sonarcloud sonarqube sparkpost splunk spotify square squarespace stripe
  sumologic supabase telegram telnyx terraform trello twilio twitch twitter typeform unsplash vercel virustotal vultr
  wakatime webex xendit yandex yelp youtube zendesk zoho zoom`.split(/\s+/),
);
