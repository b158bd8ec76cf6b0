// RUN: mlt-opt %s --convert-xevm-to-genisa=generation=newest -verify-diagnostics

// expected-error@below {{expected generation 'old' or 'current', got 'newest'}}
module {
}
