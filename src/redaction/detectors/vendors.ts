/**
 * Services whose keys have no shape of their own: forty random characters are told by the name beside them.
 * A name here is only a hint; the value must still look generated. Words that notes use in other senses are left out.
 */
export const VENDORS: ReadonlySet<string> = new Set(
  `abstractapi abuseipdb accuweather activecampaign adafruit adzuna aeroworkflow agora airship airvisual aiven alchemy
  algolia alibaba alienvault amadeus ambee amplitude anypoint apacta apideck apiflash apify apilayer apimatic apitemplate
  apollo appcues appfollow appointed appsynergy apptivo artifactory artsy asana assemblyai atera atlassian auth0 autodesk
  autoklose autopilot avaza aviationstack axonaut aylien ayrshare bannerbear baremetrics beamer beebole besnappy besttime
  betterstack billomat bitbar bitcoinaverage bitfinex bitly bitmex bitrise bittrex blablabus blitapp blocknative blogger
  blynk bombbomb boostnote borgbase brandfetch browserstack browshot budibase bugherd bugsnag buildkite bulksms buttercms
  caflou calendarific calendly calorieninja campayn canny capsulecrm captaindata carboninterface cashboard caspio censys
  centralstationcrm cexio chartmogul chatfule checio checklyhq checkvist cicero circleci clarifai clearbit clickhelp
  clicksend clickup cliengo clinchpad clockify clockworksms closecrm cloudconvert cloudelements cloudflare cloudimage
  cloudinary cloudmersive cloudplan cloudsight cloudways cloverly cloze clustdoc codacy codeclimate codecov codemagic
  codequiry cohere coinapi coinbase coinlayer coinlib coinmarketcap collect2 commercejs companyhub
  confluent contentful conversiontools convertapi convertkit convier couchbase countrylayer courier coveralls
  craftmypdf crowdin cryptocompare currencycloud currencyfreaks currencylayer currencyscoop currentsapi customerguru
  customerio d7network dailyco dandelion databox datadog datafire datagov debounce deepai deepgram deepl deepseek delighted
  demio deputy detectify detectlanguage dfuse diffbot diggernaut digitalocean discogs discord disqus dnscheck docparser
  documo docusign dotdigital dovico dronahq droneci dropbox duply dwolla dyspatch dynalist easyinsight ecostruxureit edamam
  edenai eightxeight elasticemail elevenlabs enablex endorlabs enigma ethplorer etherscan etsy eventbrite everhour exchangerate
  exportsdk extractorapi facebook factset fakerapi fastforex fastly fibery figma fileio finage financialmodelingprep findl
  finicity finnhub firebase fixerio flatio fleetbase flickr flightapi flightlabs flightstats flowdash flowflu flutterwave
  formbucket formcraft formio formsite foursquare frameio freshbooks freshdesk fullstory fxmarket gemini gengo geoapify geocode
  geocodify geocodio geoipifi getemail getemails getgeoapi getgist getresponse getsandbox gitea github gitlab gitter
  glassnode gocanvas gocardless goodday graphcms graphhopper groovehq gtmetrix guardianapi gumroad gyazo happyscribe 
  hellosign helpcrunch helpscout hereapi heroku hiveage holidayapi holistic honeycomb html2pdf hubspot huggingface
  hypertrack iconfinder iexapis iexcloud imagekit imagga infura influxdb insightly instabot instamojo
  intercom interseller intra42 intrinio invoiceocean ip2location ipapi ipdata ipgeolocation ipify ipinfo ipinfodb ipquality
  ipqualityscore ipstack jenkins jfrog jiratoken jotform jumpcloud jumpseller kairos kaleyra keenio kickbox klaviyo
  klipfolio kontent kraken kucoin kylas languagelayer lastfm launchdarkly leadfeeder lemlist lendflow lessannoyingcrm lexigram
  linear linemessaging linenotify linkedin linkpreview liveagent livestorm loadmill lob locationiq loggly loginradius
  logrocket lokalise looker loyverse luno lunchmoney m3o macaddress madkudu magicbell mailboxlayer mailchimp
  mailerlite mailgun mailjet mailmodo mailsac mandrill mapbox mapquest marketstack mattermost maxmind mavenlink
  meaningcloud mediastack meistertask mesibo messagebird metaapi metrilo microsoftteams midise mindmeister miro mixmax
  mixpanel mockaroo monday moonclerk moonshot moosend moralis mrticktock myfreshworks myintervals n8n nasdaq
  nethunt netlify neutrinoapi newrelic newsapi newscatcher nexmo nftport ngrok nicereply nightfall noticeable
  notion nozbe numverify nutritionix nylas nytimes oanda okta omnisend onedesk onelogin onepage onesignal onfleet oopspam
  opencage opencagedata opengraphr openuv openvpn openweather opsgenie overloop owlbot packagecloud pagarme
  pagerduty pandadoc pandascore paperform paralleldots parsehub parsers parseur partnerstack passbase pastebin paydirtapp
  paymoapp paymongo paypal paystack pdflayer pdfshift peopledatalabs pepipost percy pinata pipedream pipedrive
  pivotaltracker pixabay plaid planview planyo planviewleankit plivo podio pollsapi poloniex positionstack postageapi
  postbacks posthog postman postmark powrbot privateai prodpad productboard prospectcrm prospectio protocolsio
  proxycrawl pubnub purestake pushbullet pusher qase qualaroo qubole quickmetrics rapidapi rapidpro rawg razorpay
  reachmail reallysimplesystems rebrandly redshift refiner remove.bg rentman repairshopr replicate
  replyio requestfinance restpack restpackhtmltopdfapi revampcrm ringcentral ritekit roaring rocketreach rockset rollbar
  roninapp route4me rownd runrunit salesblink salescookie salesflare salesforce salesmate satismeter saucelabs scaleway
  scalr scrapeowl scraperapi scraperbox scrapersite scrapestack scrapfly scrapingant scrapingbee screenshotapi
  screenshotlayer scrutinizerci securitytrails selectpdf semaphore semrush sendbird sendgrid sendinblue sentry
  serphouse serpstack sheety sherpadesk shipday shippo shodan shopify shotstack shutterstock sidekiq signable
  signalwire signaturit signupgenius sigopt simfin simplesat simplynoted simvoly sinch sirv siteleaf skrapp skybiometry
  skylight slack smartsheet smartystreets smooch snipcart snyk solcast sonarcloud sonarqube sourcegraph sparkpost
  speechtext speechtextai splunk spoonacular spotify sportradar sportsmonk squarespace sslmate statuscake
  statuspage statuspal stitchdata stockdata stormboard stormglass storyblok storychief strava streak stytch
  sugester sumologic supabase supernotes surveyanyplace surveybot surveysparrow survicate swiftype tableau tallyfy
  tatum taxjar teamgate teamviewer teamwork technicalanalysisapi tefter telegram teletype telnyx terraform
  testingbot text2data textmagic theoddsapi thinkific thousandeyes ticketmaster ticktick tiingo timecamp timezoneapi tineswebhook
  tokeet tomorrowio tomtom tradier transferwise travelpayouts travisci trello trufflehog twelvedata twilio twitch
  twitter tyntec typeform typetalk ubidots uclassify unifyid unplugg unsplash upcdatabase uplead uploadcare uptimerobot
  upwave urlscan userflow userstack vagrantcloud vatlayer veevavault vercel verimail veriphone versioneye viewneo
  virustotal visualcrossing voicegain voodoosms vouchery vpnapi vultr vyte walkscore weatherbit weatherstack webex webflow
  webscraper webscraping whoxy wistia woocommerce workday workstack worldcoinindex worldweather wrike xendit yandex
  yelp youneedabudget yousign youtube zapierwebhook zendesk zenkit zenrows zenscrape zenserp zeplin zerobounce zeplin
  zipapi zipbooks zipcodeapi zipcodebase zoho zonkafeedback zoominfo zulipchat zuora`.split(/\s+/),
);
